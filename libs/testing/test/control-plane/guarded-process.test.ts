import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GuardedProcess } from '../../src/control-plane/guarded-process.js';
import { runCommand } from '../../src/control-plane/run-command.js';
import { isRunning, temporaryFolder } from './fixtures.js';

const env = { PATH: '/usr/bin:/bin' };
const source = new URL('../../src/control-plane/guarded-process.ts', import.meta.url).pathname;

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A Node process that guards `sleep` and then runs the given statement; its standard output tells the child's id. */
async function startOwner(folder: string, then: string): Promise<{ owner: number; sleeper: number; kill: () => void }> {
  const script = `
    import { runnerImport } from 'vite';
    // The end of its input is the end of this test run.
    process.stdin.resume().on('end', () => process.exit());
    const { module } = await runnerImport(${JSON.stringify(source)}, { logLevel: 'error', configFile: false });
    const env = ${JSON.stringify(env)};
    const args = ['-c', 'echo up; exec sleep 600'];
    const onLine = () => process.stdout.write(guarded.pid + '\\n', () => { ${then} });
    const guarded = new module.GuardedProcess('sh', args, { env, folder: ${JSON.stringify(folder)}, onLine });
  `;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void owner.kill('SIGKILL'));
  let errors = '';
  owner.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const [line] = (await Promise.race([once(owner.stdout, 'data'), once(owner, 'close')])) as [Buffer | number];
  if (typeof line === 'number') throw new Error(`the owner ended before it had started its child: ${errors}`);
  return { owner: owner.pid ?? 0, sleeper: Number(line.toString()), kill: () => void owner.kill('SIGKILL') };
}

describe('a guarded process', () => {
  it.each([
    ['is killed', `process.kill(process.pid, 'SIGKILL')`],
    ['is terminated', `process.kill(process.pid, 'SIGTERM')`],
    ['is interrupted', `process.kill(process.pid, 'SIGINT')`],
    ['exits', 'process.exit(0)'],
    ['crashes', `throw new Error('expected by the test')`],
  ])('ends, and its folder goes, when its owner %s', async (_how, then) => {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(join(folder, 'deep'), { recursive: true });
    const { owner, sleeper } = await startOwner(folder, `setTimeout(() => { ${then} }, 100)`);
    expect(sleeper).toBeGreaterThan(1);
    await expect.poll(() => isRunning(owner), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => isRunning(sleeper), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => exists(folder), { timeout: 10_000 }).toBe(false);
  });

  it('ends with its owner also while it is stopped', async () => {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(folder);
    const { sleeper, kill } = await startOwner(folder, 'setTimeout(() => {}, 60_000); guarded.signal("SIGSTOP")');
    kill();
    await expect.poll(() => isRunning(sleeper), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => exists(folder), { timeout: 10_000 }).toBe(false);
  });

  it('keeps its folder when it ends by itself', async () => {
    const folder = await temporaryFolder();
    const guarded = new GuardedProcess('sh', ['-c', 'echo last words >&2; exit 7'], { env, folder });
    expect(await guarded.ended).toEqual({ exitCode: 7, signal: null });
    expect(guarded.tail.lines).toEqual(['last words']);
    expect(guarded.endExpected).toBe(false);
    expect(await exists(folder)).toBe(true);
  });

  it('takes the children of the command with it when it is killed', async () => {
    const guarded = new GuardedProcess('sh', ['-c', 'sleep 600 & echo $!; wait'], { env });
    await expect.poll(() => guarded.tail.lines.length).toBe(1);
    const grandchild = Number(guarded.tail.lines[0]);
    expect(await isRunning(grandchild)).toBe(true);
    expect(await guarded.kill()).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect.poll(() => isRunning(grandchild)).toBe(false);
  });

  it('is given time to end by itself, and no more', async () => {
    const gentle = new GuardedProcess('sh', ['-c', 'trap "exit 3" TERM; echo up; while :; do sleep 0.05; done'], {
      env,
    });
    const deaf = new GuardedProcess('sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.05; done'], { env });
    await expect.poll(() => gentle.tail.lines.length + deaf.tail.lines.length).toBe(2);
    expect(await gentle.terminate(10_000)).toEqual({ exitCode: 3, signal: null });
    expect(await deaf.terminate(100)).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('that cannot be started ends with the code of the shell and its words', async () => {
    const guarded = new GuardedProcess('/nowhere/etcd', [], { env });
    expect((await guarded.ended).exitCode).toBe(127);
    expect(guarded.tail.lines.join('\n')).toContain('/nowhere/etcd');
  });
});

describe('a command', () => {
  it('gets its input, and both streams are read to their end', async () => {
    const result = await runCommand('sh', ['-c', 'cat; echo done >&2; exit 4'], {
      env,
      input: 'x'.repeat(200_000),
      timeout: 10_000,
    });
    expect(result).toMatchObject({ exitCode: 4, stderr: 'done\n', timedOut: false });
    expect(result.stdout).toHaveLength(200_000);
  });

  it('has no input and no guard pipe otherwise', async () => {
    const result = await runCommand('sh', ['-c', 'cat; [ -e /dev/fd/3 ] && echo open || echo closed'], {
      env,
      timeout: 10_000,
    });
    expect(result.stdout).toBe('closed\n');
  });

  it('is killed at its timeout', async () => {
    const result = await runCommand('sleep', ['600'], { env, timeout: 100 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
  });

  it('is killed by its signal, and rejects with the reason', async () => {
    const controller = new AbortController();
    const result = runCommand('sleep', ['600'], { env, timeout: 60_000, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
  });
});
