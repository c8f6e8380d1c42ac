// Runs the tests that need a real control plane, against the built packages' launcher, and ends with their exit code.
import { spawn } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  BINARIES_FOLDER_VARIABLE,
  CONTROL_PLANE_BINARIES,
  ControlPlaneError,
  ensureControlPlaneBinaries,
} from '@nestjs-operator/testing/control-plane';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'reports');

await mkdir(reports, { recursive: true });
for (const name of await readdir(reports)) {
  if (/^cluster-.*\.json$/.test(name)) await rm(join(reports, name));
}

let folder;
try {
  const binaries = await ensureControlPlaneBinaries(CONTROL_PLANE_BINARIES);
  folder = dirname(binaries['kube-apiserver']);
} catch (error) {
  if (!(error instanceof ControlPlaneError)) throw error;
  console.error(`The cluster tests cannot run.\n${error.message}`);
  process.exit(1);
}

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const child = spawn(
  process.execPath,
  [
    vitest,
    'run',
    '--project=cluster',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'cluster-real.json')}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, [BINARIES_FOLDER_VARIABLE]: folder } },
);
// A terminal sends these to the child as well; whoever signals this process alone means the tests too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`The test runner could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
});
