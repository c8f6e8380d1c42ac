// Runs the suites that need no other toolchain. Arguments go to Vitest: `npm test -- queue --project unit`.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2);
const projects = args.some((arg) => arg.startsWith('--project')) ? [] : ['unit', 'e2e', 'process'];

const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=reports/test-all.json',
    ...args,
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => vitest.kill(signal));

vitest.on('error', (error) => {
  console.error(error);
  process.exitCode = 1;
});
vitest.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
