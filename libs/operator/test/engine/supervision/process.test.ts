import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const fixtures = join(import.meta.dirname, 'fixtures');

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Messages of the log, in order. */
  readonly messages: readonly string[];
}

function play(scene: string, onOutput: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => {}) {
  return new Promise<Outcome>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--import',
        join(fixtures, 'register-sources.mjs'),
        join(fixtures, 'operator-process.ts'),
        scene,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], timeout: 15_000, killSignal: 'SIGQUIT' },
    );
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      onOutput(text, (signal) => child.kill(signal));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const messages = stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => (JSON.parse(line) as { message: string }).message);
      resolve({ code, signal, stdout, stderr, messages });
    });
  });
}

describe('a process with a supervisor', () => {
  it('ends with 1 after a failure, with open handles, and without an unhandled rejection of done', async () => {
    const { code, stderr, messages } = await play('unobserved failure');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(messages.at(-1)).toBe('Operator failed');
  });

  it('ends by itself after a clean stop when nothing is open: no timer and no thread is left', async () => {
    const { code, stderr, messages } = await play('clean stop, nothing open');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(messages.at(-1)).toBe('Operator stopped');
  });

  it('lives on after a clean stop where something is open, the watchdog called off', async () => {
    const { code, signal, stdout } = await play('clean stop, the process lives on');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stdout).toContain('alive');
  });

  it('ends by itself with 1 after a failure when the application is closed by others and nothing is open', async () => {
    const { code, signal, messages } = await play('failure while the application closes itself, nothing open');
    expect({ code, signal }).toEqual({ code: 1, signal: null });
    expect(messages.at(-1)).toBe('Operator failed');
  });

  it('is ended by force at the deadline, with the whole chain on stderr', async () => {
    const { code, stderr, messages } = await play('hanging close');
    expect(code).toBe(1);
    expect(messages.at(-1)).toBe('Operator failed');
    expect(stderr).toMatch(/^OperatorFailedError \[OPERATOR_FAILED\].*\n/);
    expect(stderr).toContain('Caused by: Error: root cause');
  });

  it('is kept alive until the deadline by nothing but its timer', async () => {
    const { code, stderr } = await play('hanging close, nothing open');
    expect(code).toBe(1);
    expect(stderr).toContain('OPERATOR_STOP_DEADLINE');
  });

  it('is killed by the watchdog when its event loop stays blocked past the deadline', async () => {
    const { code, signal, stderr } = await play('blocked loop');
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
    expect(stderr).toBe('The event loop is blocked beyond the deadline of the stop; the process is killed.\n');
  });

  it('is not killed when the block ends before the watchdog acts', async () => {
    const { code, signal } = await play('loop blocked for a while');
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });

  it.each(['rejection in a handler', 'exception in a timer of a handler'])(
    'attributes a detached error to its handler: %s',
    async (scene) => {
      const { code, stderr, messages } = await play(scene);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(messages).toContain('Unrecoverable error; the operator stops');
    },
  );

  it('leaves foreign rejections to Node in mode own', async () => {
    const { code, stderr, messages } = await play('foreign rejection');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: foreign');
    expect(messages).not.toContain('Unrecoverable error; the operator stops');
  });

  it('takes foreign rejections for unrecoverable in mode all', async () => {
    const { code, stderr, messages } = await play('foreign rejection, all');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(messages).toContain('Unrecoverable error; the operator stops');
  });

  it('ends with 0 on SIGTERM', async () => {
    const { code, signal, messages } = await play('signal', (text, kill) => {
      if (text.includes('ready')) kill('SIGTERM');
    });
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(messages).toContain('Signal received; the operator stops');
  });
});
