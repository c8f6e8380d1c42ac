import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from '@nestjs-operator/apiserver';
import { afterEach, describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../../apps/demo/dist/main.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Runs the demo as `npm start` does; `seen` is called with all output so far whenever there is more. */
async function demo(
  args: readonly string[],
  seen: (output: string, child: ChildProcess) => void = () => undefined,
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...variables, NO_COLOR: '1' },
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      seen(output, child);
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, output };
}

describe('the demo', () => {
  test('--once plays every scene and ends with 0', async () => {
    const { code, output } = await demo(['--once']);
    expect(output).toContain('All scenes went as they should.');
    expect(output.match(/as it should be/g)).toHaveLength(6);
    expect(code).toBe(0);
  });

  test('--crash tells the failure at three levels, closes, and ends with 1', async () => {
    const { code, output } = await demo(['--crash']);
    const levels = ['Unrecoverable error in a worker', 'Root task failed unrecoverably', 'Operator failed'];
    const places = levels.map((level) => output.indexOf(level));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(output.slice(places[2])).toContain('the demo makes every write fail');
    expect(code).toBe(1);
  });

  test('it stays up until Ctrl-C, and then ends with 0', async () => {
    let interrupted = false;
    const { code, signal, output } = await demo([], (sofar, child) => {
      if (interrupted || !sofar.includes('Refused (')) return;
      interrupted = true;
      child.kill('SIGINT');
    });
    expect(output).toContain('PersistentVolumeClaim scratch: 1Gi');
    expect(output).toContain('kubectl get evc');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(output).not.toContain('ERROR');
  });

  test('--cluster takes the cluster of KUBECONFIG, and gives it the definition', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const api = await startApiServer();
    try {
      const KUBECONFIG = join(folder, 'kubeconfig');
      await api.writeKubeconfig(KUBECONFIG);
      for (const round of ['a fresh cluster', 'the same again']) {
        const { code, output } = await demo(['--once', '--cluster'], undefined, { KUBECONFIG });
        expect(output, round).toContain('All scenes went as they should.');
        expect(code, round).toBe(0);
      }
    } finally {
      await api.close();
      await rm(folder, { recursive: true });
    }
  });

  test.each([[['--often']], [['--once', '--crash']], [['--crash', '--cluster']]])(
    '%j is refused, with the usage',
    async (args) => {
      const { code, output } = await demo(args);
      expect(output).toContain('Usage: npm start');
      expect(code).toBe(1);
    },
  );
});
