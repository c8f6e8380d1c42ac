import 'reflect-metadata';
import { KubeClient, runOperator } from 'nestjs-operator';
import { CrashModule } from './stage/crash.module.js';
import { installDefinition } from './stage/definition.js';
import { kubeconfigPath, readManifest, startEmbeddedCluster } from './stage/embedded-cluster.js';
import { readMode, type Mode } from './stage/mode.js';
import { playScenario } from './stage/scenario.js';
import { Timeline } from './stage/timeline.js';
import { VolumesModule } from './volumes/volumes.module.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** An operator needs no more than `runOperator(VolumesModule)`; the rest of this file is stage and audience. */
async function run(mode: Mode): Promise<void> {
  const api = mode.cluster ? undefined : await startEmbeddedCluster();
  try {
    if (mode.play === 'crash') {
      api?.faults.add({
        match: { verb: 'patch', resource: 'ephemeralvolumeclaims' },
        do: { action: 'answer', status: 422, reason: 'Invalid', message: 'the demo makes every write fail' },
      });
      print('Every write of the operator fails, and its throttle is off. It must end, loudly, with exit code 1.\n');
      const operator = await runOperator(CrashModule);
      const [first] = (await readManifest('samples')).split('---');
      await api?.apply(first ?? '');
      await operator.done;
      return;
    }

    let kube: KubeClient | undefined;
    const operator = await runOperator(VolumesModule, {
      logger: ['warn', 'error', 'fatal'],
      configure: (app) => {
        kube = app.get(KubeClient, { strict: false });
      },
    });
    const client = kube as KubeClient | undefined;
    if (client === undefined) throw new Error('The application has no KubeClient.');
    if (api === undefined) await installDefinition(client);
    await operator.whenSynced();
    const timeline = new Timeline(client, print);
    timeline.start();
    if (mode.play === 'once') {
      const failed = await playScenario(client, print);
      print(failed.length === 0 ? '\nAll scenes went as they should.' : `\nFailed: ${failed.join('; ')}`);
      if (failed.length > 0) process.exitCode = 1;
      await timeline.stop();
      await operator.stop();
      return;
    }
    if (api !== undefined) {
      invite(api.url);
      await api.apply(await readManifest('samples'));
    }
    try {
      await operator.done;
    } finally {
      await timeline.stop();
    }
  } finally {
    await api?.close();
  }
}

function invite(url: string): void {
  print(`An operator for EphemeralVolumeClaims works on an embedded Kubernetes API server at ${url}.`);
  print('Ctrl-C ends it. Try, in another terminal:\n');
  for (const command of [
    `export KUBECONFIG=${kubeconfigPath}`,
    'kubectl get evc',
    'kubectl get pvc',
    'kubectl get events',
    `kubectl patch evc scratch --type merge -p '{"spec":{"size":"3Gi"}}'`,
    'kubectl label evc scratch tier=fast',
    'kubectl get evc scratch -o yaml',
    'kubectl delete evc scratch',
  ]) {
    print(`  ${command}`);
  }
  print('');
}

try {
  await run(readMode(process.argv.slice(2)));
} catch (error) {
  // A failed operator has told its story already, and has set the exit code.
  if (process.exitCode === undefined) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
