import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DataFolder } from '../../src/control-plane/data-folder.js';

const source = new URL('../../src/control-plane/data-folder.ts', import.meta.url).pathname;

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

it('is for its owner only, and goes with all that is in it', async () => {
  const folder = await DataFolder.create();
  expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  await writeFile(join(folder.path, 'file'), 'content');
  await folder.remove();
  expect(await exists(folder.path)).toBe(false);
});

it('goes when the process that made it is killed, without any server in it', async () => {
  const script = `
    import { runnerImport } from 'vite';
    // The end of its input is the end of this test run.
    process.stdin.resume().on('end', () => process.exit());
    const { module } = await runnerImport(${JSON.stringify(source)}, { logLevel: 'error', configFile: false });
    process.stdout.write((await module.DataFolder.create()).path);
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void owner.kill('SIGKILL'));
  const [output] = (await once(owner.stdout, 'data')) as [Buffer];
  const path = output.toString();
  expect(await exists(path)).toBe(true);
  owner.kill('SIGKILL');
  await expect.poll(() => exists(path), { timeout: 10_000 }).toBe(false);
});
