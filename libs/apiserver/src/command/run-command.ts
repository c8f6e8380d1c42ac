import { createRequire } from 'node:module';
import { InvalidOptionsError } from '../errors/invalid-options.error.js';
import { UsageError } from '../errors/usage.error.js';
import type { ApiServer } from '../api-server.js';
import type { AuthorizationMode } from '../http/authorization.js';
import { kubernetesVersions } from '../kubernetes-version.js';
import { startApiServer } from '../start-api-server.js';
import { readAccounts } from './accounts.js';
import { readArguments, usage, type CommandArguments } from './arguments.js';
import { checkKubeconfigTarget } from './kubeconfig-file.js';
import { isDefinition, readManifests, type Manifest } from './manifests.js';
import { requestLine } from './request-line.js';

/** The world around the command. */
export interface CommandWorld {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Aborted when the command is to end. */
  readonly ending: AbortSignal;
}

/** Runs the command to its end; the answer is the exit code. */
export async function runCommand(args: readonly string[], world: CommandWorld): Promise<number> {
  try {
    const asked = readArguments(args);
    if (asked === 'help') world.print(usage);
    else if (asked === 'version') world.print(`${version()} (Kubernetes ${kubernetesVersions.join(', ')})\n`);
    else await serve(asked, world);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      world.complain(`${error.message}\nSee --help.\n`);
      return 2;
    }
    world.complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function serve(asked: CommandArguments, world: CommandWorld): Promise<void> {
  if (asked.kubeconfig !== undefined) checkKubeconfigTarget(asked.kubeconfig);
  const crds = readManifests('--crds', asked.crds).filter(isDefinition);
  if (asked.crds.length > 0 && crds.length === 0) {
    throw new UsageError(`--crds ${asked.crds.join(', ')}: there is no CustomResourceDefinition in it.`);
  }
  const objects = readManifests('--objects', asked.objects);
  const api = await start(asked, crds, objects, world);
  try {
    if (asked.output !== 'quiet') {
      api.requests.subscribe((record, moment) => {
        const line = requestLine(record, moment, asked.output === 'verbose');
        if (line !== undefined) world.print(`${line}\n`);
      });
    }
    world.print(`Kubernetes ${kubernetesVersions[0]} API server at ${api.url}\n`);
    if (asked.kubeconfig !== undefined) {
      await api.writeKubeconfig(asked.kubeconfig);
      // kubectl sends tokens by TLS only, and would be told that it is nobody.
      if (asked.users === undefined) world.print(`Try: KUBECONFIG=${asked.kubeconfig} kubectl get namespaces\n`);
      else world.print(`Kubeconfig of the first account: ${asked.kubeconfig}\n`);
    }
    await aborted(world.ending);
  } finally {
    await api.close();
  }
}

async function start(
  asked: CommandArguments,
  crds: readonly Manifest[],
  objects: readonly Manifest[],
  world: CommandWorld,
): Promise<ApiServer> {
  const { port, kubernetesVersion, authorization, stateFile, gc, namespaceController } = asked;
  try {
    return await startApiServer({
      crds: crds.map(({ object }) => object),
      objects: objects.map(({ object }) => object),
      gc,
      namespaceController,
      onInternalError: (error) => {
        world.complain(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      },
      ...(port === undefined ? {} : { port }),
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(authorization === undefined ? {} : { authorization: authorization as AuthorizationMode }),
      ...(stateFile === undefined ? {} : { stateFile }),
      ...(asked.users === undefined ? {} : { users: readAccounts(asked.users) }),
    });
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    // Whoever calls the command knows files, and no lists.
    const files = { crds, objects };
    const problems = error.problems.map((problem) =>
      problem.replace(
        /^(crds|objects)\[(\d+)\]/,
        (place, list: 'crds' | 'objects', index: string) => files[list][Number(index)]?.file ?? place,
      ),
    );
    throw new InvalidOptionsError(problems, { cause: error });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function version(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };
  return manifest.version;
}
