import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { patience, ProgramRunner, type SceneSpec } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
const stop = ['Operator stops', 'Task cancelled', 'Root tasks stopped', 'clean-up'];
const unthrottled = { queue: { throttle: [] } };
const stopped = ['Hung tasks: none', 'Operator stopped'];

const owned = [
  ['http', 'attach'],
  ['http', 'run'],
  ['context', 'attach'],
  ['context', 'run'],
  ['hybrid', 'attach'],
  ['microservice', 'attach'],
] as const;

/** Nothing of ours failed: no error record, and both watches ended as cancelled. */
const cancelledWatches = ['gadgets', 'widgets'].map(
  (plural) => `Task cancelled task="watcher of ${plural}.v1.demo.example"`,
);

describe.concurrent('the first signal', patience, () => {
  for (const [host, owner] of owned) {
    for (const signal of owner === 'run' ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)) {
      test(`[AC-15] ${host}, ${owner}: ${signal} lets handlers finish, closes the application, code 0`, async (t) => {
        const { api, program, create } = await runner.open(t, { host, owner });
        await program.printed('ready');
        await create('working', { does: 'untilSignal' });
        await program.printed('handler begins: working');
        program.send(signal);
        t.expect(await program.ended()).toBe(0);
        const expected = [
          'Signal received',
          'handler ends',
          ...stop,
          ...hooks,
          ...stopped,
          'done resolved',
          'exit 0, 0 servers',
        ];
        // Watches are cancelled at once, queues once they are empty.
        const cancelledEarly = [
          'Signal received',
          'Operator stops',
          'Task cancelled',
          'handler ends',
          ...expected.slice(3),
        ];
        t.expect(program.order(expected)).toEqual(cancelledEarly);
        for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
        for (const watch of cancelledWatches) t.expect(program.count(watch)).toBe(1);
        t.expect(program.errors()).toEqual([]);
        t.expect(program.output).toContain('Signal received; the operator stops signal=' + signal);
        const object = await api.get({
          apiVersion: 'demo.example/v1',
          kind: 'Widget',
          namespace: 'default',
          name: 'working',
        });
        t.expect(object?.['status']).toEqual({ seen: true });
      });
    }

    test(`[AC-16] ${host}, ${owner}: a worker that fails during the stop is logged, the stop goes on, code 1`, async (t) => {
      const { api, program, create } = await runner.open(t, { host, owner, operator: unthrottled });
      await program.printed('ready');
      api.faults.add({ match: { verb: 'patch', resource: 'widgets' }, do: { action: 'answer', status: 422 } });
      await create('late', { does: 'untilSignal' });
      await program.printed('handler begins: late');
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe(1);
      const order = ['Signal received', 'Unrecoverable error in a worker', 'Root tasks stopped', 'clean-up', ...hooks];
      t.expect(program.order([...order, 'Operator failed', 'exit 1'])).toEqual([...order, 'Operator failed', 'exit 1']);
      t.expect(program.output).toMatch(/Unrecoverable error in a worker .* key=default\/late .*ApiError/);
      for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- ApiError/);
    });
  }

  for (const [host, owner] of [
    ['http', 'attach'],
    ['context', 'run'],
    ['microservice', 'attach'],
  ] as const) {
    test(`${host}, ${owner}: with shutdown hooks, Nest raises the signal again: hooks run once, the code stays 0`, async (t) => {
      const { program } = await runner.open(t, { host, owner, shutdownHooks: true });
      await program.printed('ready');
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe(0);
      t.expect(program.order([...stop, ...hooks, 'exit 0, 0 servers'])).toEqual([
        ...stop,
        ...hooks,
        'exit 0, 0 servers',
      ]);
      for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
      t.expect(program.errors()).toEqual([]);
    });

    test(`${host}, ${owner}: the same after a worker failed: code 1`, async (t) => {
      const { api, program, create } = await runner.open(t, {
        host,
        owner,
        operator: unthrottled,
        shutdownHooks: true,
      });
      await program.printed('ready');
      api.faults.add({ match: { verb: 'patch', resource: 'widgets' }, do: { action: 'answer', status: 422 } });
      await create('late', { does: 'untilSignal' });
      await program.printed('handler begins: late');
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(['clean-up', ...hooks, 'exit 1'])).toEqual(['clean-up', ...hooks, 'exit 1']);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- ApiError/);
    });
  }

  for (const host of ['http', 'context', 'hybrid', 'microservice'] as const) {
    test(`${host}, module only: SIGTERM is Node's own, and the start says so`, async (t) => {
      const { program } = await runner.open(t, { host, owner: 'module' });
      await program.printed('Nobody handles SIGTERM');
      await program.printed('ready');
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe('SIGTERM');
      t.expect(program.order([...stop, ...hooks])).toEqual([]);
    });

    test(`${host}, module only: with shutdown hooks the stop is clean, and Nest ends the process by the signal`, async (t) => {
      const { program } = await runner.open(t, { host, owner: 'module', shutdownHooks: true });
      await program.printed('ready');
      await program.printed('to=watching', 2);
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe('SIGTERM');
      const order = [...stop, ...stopped, ...hooks];
      t.expect(program.order(order)).toEqual(order);
      for (const watch of cancelledWatches) t.expect(program.count(watch)).toBe(1);
      t.expect(program.errors()).toEqual([]);
    });
  }

  for (const [host, owner] of [
    ['http', 'attach'],
    ['context', 'run'],
    ['http', 'module'],
    ['context', 'module'],
  ] as const) {
    const codes = owner === 'module' ? [1, 'SIGTERM'] : [1];
    test(`${host}, ${owner}: SIGTERM during a crash changes nothing: hooks run once, ${codes.join(' or ')}`, async (t) => {
      const { program, create } = await runner.open(t, {
        host,
        owner,
        shutdownHooks: true,
        operator: { ...unthrottled, shutdown: { grace: '100ms' } },
        widgets: { deaf: { does: 'ignore' } },
      });
      await program.printed('ready');
      await program.printed('handler begins: deaf');
      await create('bad', { boo: true });
      await program.printed('Root task failed unrecoverably');
      program.send('SIGTERM');
      // Without an owner, it is up to Nest who comes first.
      t.expect(codes).toContain(await program.ended());
      for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- Error: boo bad"$/);
    });
  }

  test('a clean-up handler that fails is code 1', async (t) => {
    const { program } = await runner.open(t, { host: 'http', owner: 'attach', cleanup: 'fail' });
    await program.printed('ready');
    program.send('SIGTERM');
    t.expect(await program.ended()).toBe(1);
    t.expect(program.order(hooks)).toEqual(hooks);
    t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- PermanentError \[\w+\]: no broom"$/);
  });

  test('a hook that throws is told by Nest 12, which goes on with the others: code 0', async (t) => {
    const { program } = await runner.open(t, {
      host: 'http',
      owner: 'attach',
      hook: { name: 'onModuleDestroy', does: 'throw' },
    });
    await program.printed('ready');
    program.send('SIGTERM');
    t.expect(await program.ended()).toBe(0);
    t.expect(program.order(hooks)).toEqual(hooks);
    t.expect(program.errors().map(({ text }) => text)).toEqual(['Error: bent hook onModuleDestroy']);
  });
});

describe.concurrent('a close by the application', patience, () => {
  for (const act of ['close', 'stop'] as const) {
    for (const [host, owner] of [
      ['http', 'attach'],
      ['context', 'run'],
      ['hybrid', 'module'],
      ['microservice', 'module'],
    ] as const) {
      test(`[AC-15] ${host}, ${owner}: ${act === 'close' ? 'app.close()' : 'OperatorRef.stop()'} ends the process by itself with 0`, async (t) => {
        const { program } = await runner.open(t, { host, owner, onUserSignal: act });
        await program.printed('ready');
        await program.printed('to=watching', 2);
        program.send('SIGUSR2');
        t.expect(await program.ended()).toBe(0);
        const order = [...stop, ...hooks, 'exit 0, 0 servers'];
        t.expect(program.order(order)).toEqual(order);
        for (const once of ['clean-up', ...hooks, ...cancelledWatches]) t.expect(program.count(once)).toBe(1);
        t.expect(program.errors()).toEqual([]);
      });
    }
  }
});

describe.concurrent('a further signal', patience, () => {
  const slow: SceneSpec = { host: 'http', owner: 'attach', widgets: { deaf: { does: 'ignore' } } };
  for (const [first, second, code] of [
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGINT', 'SIGINT', 130],
  ] as const) {
    for (const owner of first === 'SIGTERM' ? (['attach', 'run'] as const) : (['attach'] as const)) {
      test(`[AC-25] ${owner}: ${second} a second after ${first} ends the process at once with ${code}`, async (t) => {
        const { program } = await runner.open(t, { ...slow, host: owner === 'run' ? 'context' : 'http', owner });
        await program.printed('handler begins: deaf');
        program.send(first);
        await program.printed('Signal received');
        await pause(1_100);
        const before = program.records.length;
        program.send(second);
        t.expect(await program.ended()).toBe(code);
        t.expect(program.records.slice(before).map(({ level, text }) => [level, text])).toEqual([
          ['WARN', `Second signal; the process ends at once signal=${second} code=${code}`],
        ]);
        t.expect(program.output).not.toMatch(/uncaught/i);
        t.expect(program.order(['clean-up', ...hooks])).toEqual([]);
      });
    }
  }

  test('one right after the first is taken for its echo', async (t) => {
    const { program, create } = await runner.open(t, { host: 'http', owner: 'attach' });
    await program.printed('ready');
    await create('working', { does: 'untilSignal' });
    await program.printed('handler begins: working');
    program.send('SIGTERM');
    program.send('SIGINT');
    t.expect(await program.ended()).toBe(0);
    t.expect(program.output).toContain('Signal repeated at once; ignored');
    t.expect(program.order(['handler ends', 'clean-up', ...hooks])).toEqual(['handler ends', 'clean-up', ...hooks]);
  });
});

describe.concurrent('what does not end', patience, () => {
  for (const [host, owner] of [
    ['http', 'attach'],
    ['context', 'run'],
  ] as const) {
    test(`[AC-24] ${host}, ${owner}: a handler that ignores its abort gets 5 s, is named, and does not keep the process`, async (t) => {
      const { program } = await runner.open(t, {
        host,
        owner,
        operator: { shutdown: { drain: '100ms' } },
        widgets: { deaf: { does: 'ignore' } },
      });
      await program.printed('handler begins: deaf');
      program.send('SIGTERM');
      await program.printed('handler aborted: deaf');
      const aborted = performance.now();
      t.expect(await program.ended()).toBe(0);
      const grace = performance.now() - aborted;
      t.expect(grace).toBeGreaterThan(4_500);
      t.expect(grace).toBeLessThan(25_000);
      t.expect(program.output).toMatch(
        /Hung tasks: they ignore their signal and are left behind tasks=\["handler WidgetHandlers.ensure of widgets.v1.demo.example default\/deaf"\]/,
      );
      t.expect(program.order(hooks)).toEqual(hooks);
    });
  }

  for (const [host, owner, how] of [
    ['http', 'attach', 'SIGTERM'],
    ['context', 'run', 'SIGTERM'],
    ['microservice', 'attach', 'SIGTERM'],
    ['http', 'attach', 'crash'],
    ['http', 'module', 'crash'],
    ['hybrid', 'attach', 'crash'],
  ] as const) {
    for (const name of [host === 'http' ? 'onModuleDestroy' : 'onApplicationShutdown'] as const) {
      test(`[AC-26] ${host}, ${owner}: a hook ${name} that hangs ends by the deadline with 1, after ${how}`, async (t) => {
        const { program, create } = await runner.open(t, {
          host,
          owner,
          hook: { name, does: 'hang' },
          operator: { ...unthrottled, shutdown: { deadline: '1s' } },
          foreign: { ticks: 10_000 },
        });
        await program.printed('ready');
        if (how === 'SIGTERM') program.send('SIGTERM');
        else await create('bad', { boo: true });
        t.expect(await program.ended()).toBe(1);
        // Once by the log, once past it.
        const cause = how === 'crash' ? /boo bad/ : /it hung in step .?"application/;
        t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed /);
        t.expect(program.errors().at(-1)?.text).toMatch(cause);
        const afterLast = program.output.split('ERROR [Supervisor] Operator failed')[1];
        t.expect(afterLast).toMatch(/\nOperatorFailedError/);
        t.expect(afterLast).toMatch(/\nexit 1, /);
      });
    }
  }

  for (const [host, owner, spec] of [
    [
      'http',
      'attach',
      { widgets: { blocking: { does: 'block' } }, operator: { shutdown: { drain: 0, deadline: '500ms' } } },
    ],
    [
      'context',
      'run',
      { hook: { name: 'onModuleDestroy', does: 'block' }, operator: { shutdown: { deadline: '500ms' } } },
    ],
  ] as const) {
    test(`[AC-26] ${host}, ${owner}: a blocked event loop is ended by the watchdog (137)`, async (t) => {
      const { program } = await runner.open(t, { host, owner, ...spec });
      await program.printed('ready');
      if ('widgets' in spec) await program.printed('handler begins');
      program.send('SIGTERM');
      await program.printed('the event loop is blocked');
      const blocked = performance.now();
      // What a shell calls 137.
      t.expect(await program.ended()).toBe('SIGKILL');
      t.expect(performance.now() - blocked).toBeGreaterThan(4_500);
      t.expect(program.output.trimEnd()).toMatch(
        /The event loop is blocked beyond the deadline of the stop; the process is killed\.$/,
      );
    });
  }
});
