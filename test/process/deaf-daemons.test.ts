import { afterAll, beforeAll, describe, test } from 'vitest';
import { patience, ProgramRunner, type SceneSpec } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
/** The whole stop may take so long, in milliseconds: `shutdown.deadline`, and two seconds. */
const limit = 25_000 + 2_000;

const daemons = ['atOnce', 'onAbort', 'never', 'afterBlocking', 'byThrowing'] as const;
const spec: SceneSpec = {
  host: 'http',
  owner: 'attach',
  operator: { shutdown: { drain: '1s' } },
  widgets: {
    ...Object.fromEntries(daemons.map((daemon) => [`daemon-${daemon.toLowerCase()}`, { daemon }])),
    // A call to somewhere else, which takes a minute.
    calling: { work: 60_000 },
  },
};

describe.concurrent('daemons and a long call, at the end of their operator', patience, () => {
  for (const how of ['SIGTERM', 'SIGINT', 'app.close()'] as const) {
    test(`[TC-44] ${how}: polite ones end at once, deaf ones are named, and the process ends within the grace`, async (t) => {
      const scene = await runner.open(t, { ...spec, onUserSignal: 'close' });
      const { program, api } = scene;
      for (const daemon of daemons) await program.printed(`daemon begins: ${daemon}`);
      await program.printed('handler begins: calling');
      const told = performance.now();
      program.send(how === 'app.close()' ? 'SIGUSR2' : how);
      for (const polite of ['atOnce', 'onAbort']) await program.printed(`daemon ends: ${polite}`);
      t.expect(performance.now() - told).toBeLessThan(1_000);
      t.expect(await program.ended()).toBe(0);
      t.expect(performance.now() - told).toBeLessThan(limit);

      const [, hung = ''] =
        /Hung tasks: they ignore their signal and are left behind tasks=(.*)/.exec(program.output) ?? [];
      t.expect(JSON.parse(hung)).toEqual([
        'handler WidgetDaemons.live of widgets.v1.demo.example default/daemon-never',
      ]);
      t.expect(program.output).toMatch(/Handler failed after it was told to end .*daemon-bythrowing.*an end by error/);
      t.expect(program.count('daemon ends: afterBlocking')).toBe(1);
      t.expect(program.count('handler aborted: calling')).toBe(1);
      t.expect(program.count('handler ends: calling')).toBe(0);
      t.expect(program.count('clean-up')).toBe(1);
      t.expect(program.order(hooks)).toEqual(hooks);

      // What was not finished goes on with the next process, and daemons begin anew.
      await api.patch(
        { apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default', name: 'calling' },
        { spec: { work: 10 } },
      );
      const next = scene.next();
      await next.printed('handler ends: calling');
      for (const daemon of daemons) await next.printed(`daemon begins: ${daemon}`);
    });
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`[TC-44] ${signal} during the start: nothing begins, and the process ends within the grace`, async (t) => {
      const { program } = await runner.open(t, { ...spec, startup: 'hang' });
      await program.printed('start-up');
      const told = performance.now();
      program.send(signal);
      t.expect(await program.ended()).toBe(0);
      t.expect(performance.now() - told).toBeLessThan(limit);
      t.expect(program.order(['daemon begins', 'handler begins'])).toEqual([]);
      t.expect(program.order(hooks)).toEqual(hooks);
    });
  }
});
