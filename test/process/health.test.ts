import { afterAll, beforeAll, describe, test } from 'vitest';
import { patience, ProgramRunner, type Program, type SceneSpec } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

const spec: SceneSpec = {
  host: 'context',
  owner: 'attach',
  operator: { health: { port: 0, host: '127.0.0.1' } },
};

/** What the program answers there; `late` when it does not within a second, as for a kubelet. */
async function asker(program: Program): Promise<(path: string) => Promise<number | 'late' | 'nobody'>> {
  await program.printed('Health is served');
  await program.printed('ready, ');
  const port = /Health is served .*\bport=(\d+)/.exec(program.output)?.[1];
  return async (path) => {
    try {
      return (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(1_000) })).status;
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return 'late';
      return 'nobody';
    }
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.concurrent('health of a process', patience, () => {
  test('a blocked event loop answers nobody; when it is over, it is told', async (t) => {
    const { program, create } = await runner.open(t, spec);
    const ask = await asker(program);
    await until(async () => (await ask('/readyz')) === 200);
    await create('blocking', { blocks: 4_000 });
    await program.printed('handler begins: blocking');
    t.expect(await ask('/livez')).toBe('late');
    await program.printed('handler ends: blocking');
    await until(async () => (await ask('/livez')) === 200);
    const port = /\bport=(\d+)/.exec(program.output)?.[1];
    const health = (await (await fetch(`http://127.0.0.1:${port}/livez?format=json`)).json()) as {
      readonly eventLoop: { readonly worst: number };
    };
    t.expect(health.eventLoop.worst).toBeGreaterThan(2_000);
  });

  test('SIGTERM: not ready at once, alive until the end', async (t) => {
    const { program } = await runner.open(t, { ...spec, widgets: { slow: { work: 4_000 } } });
    const ask = await asker(program);
    await program.printed('handler begins: slow');
    program.send('SIGTERM');
    await program.printed('Operator stops');
    t.expect([await ask('/readyz'), await ask('/livez')]).toEqual([503, 200]);
    await program.printed('handler ends: slow');
    t.expect(await program.ended()).toBe(0);
    t.expect(await ask('/livez')).toBe('nobody');
    t.expect(program.order(['hook onApplicationShutdown', 'Operator stopped'])).toEqual([
      'hook onApplicationShutdown',
      'Operator stopped',
    ]);
  });
});
