import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Scenario } from './fixtures/scenario.js';
import { patience, ProgramRunner } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

type Host = Scenario['host'];
type Owner = Scenario['owner'];

/** Servers that listen when the program is up. */
const servers: Readonly<Record<Host, number>> = { http: 1, context: 0, hybrid: 2, microservice: 1 };

const programs: readonly (readonly [Host, Owner])[] = [
  ['http', 'attach'],
  ['http', 'run'],
  ['http', 'module'],
  ['context', 'attach'],
  ['context', 'run'],
  ['context', 'module'],
  ['hybrid', 'attach'],
  ['hybrid', 'module'],
  ['microservice', 'attach'],
  ['microservice', 'module'],
];

/** Those that stand for all where it is not about how the application is closed. */
const main = new Set([
  'http, attach',
  'http, module',
  'context, run',
  'context, module',
  'hybrid, attach',
  'microservice, module',
]);

/** Whatever goes wrong with an object outside of its handlers is unrecoverable then. */
const unthrottled = { queue: { throttle: [] } };

const widgets = 'widgets.v1.demo.example';
const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
const crash = [
  'Unrecoverable error in a worker',
  'Root task failed unrecoverably; the operator stops',
  'Task cancelled',
  'Root tasks stopped',
  'clean-up',
  ...hooks,
  'Hung tasks: none',
  'Operator failed',
  'exit 1, 0 servers',
];
const chain = (name: string): string =>
  `The operator failed unrecoverably in: queue of ${widgets}. The chain of causes tells why. <- Processing the changes of ${widgets} failed unrecoverably, so the operator stops. See the cause. <- boo ${name}`;

describe.concurrent('an error outside of handler code', patience, () => {
  for (const [host, owner] of programs) {
    const numbers = owner === 'module' ? '[AC-01] [AC-02] [AC-05]' : '[AC-01] [AC-02] [AC-04] [AC-05]';
    test(`${numbers} ${host}, ${owner}: three levels in order, the application closes, code 1`, async (t) => {
      const { api, program, create } = await runner.open(t, { host, owner, operator: unthrottled });
      await program.printed(`ready, ${servers[host]} servers`);
      await create('good');
      await program.printed('handler ends: good');
      const failedAt = performance.now();
      await create('bad', { boo: true });
      t.expect(await program.ended()).toBe(1);
      t.expect(performance.now() - failedAt).toBeLessThan(25_000);
      t.expect(program.order(crash)).toEqual(crash);
      for (const once of hooks) t.expect(program.count(once)).toBe(1);

      const bad = await api.get({ apiVersion: 'demo.example/v1', kind: 'Widget', namespace: 'default', name: 'bad' });
      const [worker, supervisor, last, ...more] = program.errors();
      t.expect(more).toEqual([]);
      t.expect(worker?.context).toBe('Worker');
      t.expect(worker?.text).toBe(
        `Unrecoverable error in a worker resource=${widgets} key=default/bad uid=${bad?.metadata.uid} error="Error: boo bad"`,
      );
      t.expect(program.output).toMatch(/Unrecoverable error in a worker .*\n +Error: boo bad\n +at /);
      t.expect(supervisor?.context).toBe('Supervisor');
      t.expect(supervisor?.text).toContain(`task="queue of ${widgets}"`);
      t.expect(last?.text).toMatch(/ error="OperatorFailedError .* <- ProcessingFailedError .* <- Error: boo bad"$/);
      t.expect(program.records.at(-1)).toEqual(last);
      if (owner !== 'module') t.expect(program.output).toContain(`done rejected: ${chain('bad')}`);
    });

    if (!main.has(`${host}, ${owner}`)) continue;
    test(`[AC-01] ${host}, ${owner}: with an object that was there before, right after the start`, async (t) => {
      const { program } = await runner.open(t, { host, owner, operator: unthrottled, widgets: { bad: { boo: true } } });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(crash)).toEqual(crash);
      for (const once of hooks) t.expect(program.count(once)).toBe(1);
    });

    test(`[AC-22] ${host}, ${owner}: a start-up handler that fails for good, at boot`, async (t) => {
      const { api, program } = await runner.open(t, { host, owner, startup: 'fail' });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.output).toContain('exit 1, 0 servers');
      t.expect(api.requests.all()).toEqual([]);
      t.expect(program.output).not.toContain('clean-up');
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- PermanentError \[\w+\]: no room"$/);
      t.expect(program.order(hooks)).toEqual(hooks);
    });
  }

  for (const [host, owner] of [
    ['http', 'attach'],
    ['context', 'run'],
    ['hybrid', 'module'],
  ] as const) {
    test(`[AC-01] ${host}, ${owner}: under load, what is at work ends and nothing else begins`, async (t) => {
      // Nine of the ten slots are held until the crash; through the tenth go the others.
      const held = Array.from({ length: 9 }, (_, index) => [`a${index}`, { does: 'untilFailed' }]);
      const quick = Array.from({ length: 60 }, (_, index) => [`b${index}`, { work: 100 }]);
      const many = Object.fromEntries([...held, ...quick]) as Record<string, object>;
      const { program, create } = await runner.open(t, { host, owner, operator: unthrottled, widgets: many });
      await program.printed('handler ends', 3);
      await create('bad', { boo: true });
      t.expect(await program.ended()).toBe(1);
      const [before = '', after = ''] = program.output.split('Unrecoverable error in a worker');
      t.expect(after).not.toContain('handler begins');
      const begun = before.split('handler begins').length - 1;
      t.expect(begun).toBeLessThan(69);
      t.expect(program.count('handler ends')).toBe(begun);
      t.expect(after).toContain('handler ends');
      t.expect(program.output).not.toContain('handler aborted');
      t.expect(program.order(crash)).toEqual(crash);
    });

    if (host === 'hybrid') continue;
    test(`${host}, ${owner}: a handler's FatalError is one`, async (t) => {
      const { program } = await runner.open(t, { host, owner, widgets: { bad: { does: 'fatal' } } });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(hooks)).toEqual(hooks);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- FatalError .*: the handler gives up"$/);
      t.expect(program.output).toContain('exit 1, 0 servers');
    });

    test(`[AC-23] ${host}, ${owner}: a clean-up handler that fails is logged and hides nothing`, async (t) => {
      const { program } = await runner.open(t, {
        host,
        owner,
        cleanup: 'fail',
        operator: unthrottled,
        widgets: { bad: { boo: true } },
      });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order([...crash, 'Clean-up handler failed'])).toEqual([
        ...crash.slice(0, 5),
        'Clean-up handler failed',
        ...crash.slice(5),
      ]);
      for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- Error: boo bad"$/);
    });

    for (const hook of ['onModuleDestroy', 'onApplicationShutdown'] as const) {
      test(`[AC-23] ${host}, ${owner}: a hook ${hook} that throws is logged and hides nothing`, async (t) => {
        const { program } = await runner.open(t, {
          host,
          owner,
          hook: { name: hook, does: 'throw' },
          operator: unthrottled,
          widgets: { bad: { boo: true } },
        });
        t.expect(await program.ended()).toBe(1);
        t.expect(program.order(crash)).toEqual(crash);
        for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
        t.expect(program.errors().map(({ text }) => text)).toContain(`Error: bent hook ${hook}`);
        t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- Error: boo bad"$/);
      });
    }
  }
});

describe.concurrent('a fatal error in a hook', patience, () => {
  const quick = { autoStart: false, shutdown: { deadline: '1s' } } as const;

  for (const [host, owner] of [
    ['http', 'attach'],
    ['context', 'module'],
  ] as const) {
    test(`${host}, ${owner}: start() that fails in onApplicationBootstrap`, async (t) => {
      const { program } = await runner.open(t, {
        host,
        owner,
        startup: 'fail',
        hook: { name: 'onApplicationBootstrap', does: 'call' },
        operator: quick,
      });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(hooks)).toEqual(hooks);
      t.expect(program.output).toContain('start failed: The operator failed unrecoverably in: start.');
      t.expect(program.output).toContain('exit 1, 0 servers');
    });

    test(`${host}, ${owner}: the same awaited there ends by the deadline at the latest`, async (t) => {
      const { program } = await runner.open(t, {
        host,
        owner,
        startup: 'fail',
        hook: { name: 'onApplicationBootstrap', does: 'start' },
        operator: quick,
      });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- PermanentError \[\w+\]: no room"$/);
    });
  }

  test('runOperator: another provider that does not come up', async (t) => {
    const { api, program } = await runner.open(t, {
      host: 'http',
      owner: 'run',
      hook: { name: 'onApplicationBootstrap', does: 'throw' },
    });
    t.expect(await program.ended()).toBe(1);
    t.expect(program.errors().at(-1)?.text).toMatch(
      /^The application did not start error="Error: bent hook onApplicationBootstrap"$/,
    );
    t.expect(program.output).toContain('main failed: bent hook onApplicationBootstrap');
    t.expect(program.order(hooks)).toEqual(hooks);
    t.expect(api.requests.all()).toEqual([]);
  });
});

describe.concurrent("with crash: 'reject'", patience, () => {
  for (const host of ['http', 'context'] as const) {
    for (const owner of ['attach', 'run'] as const) {
      test(`[AC-30] ${host}, ${owner}: process and exit code are left alone, done rejects with the chain`, async (t) => {
        const { program } = await runner.open(t, {
          host,
          owner,
          operator: { ...unthrottled, crash: 'reject' },
          widgets: { bad: { boo: true } },
          foreign: { ticks: 100 },
        });
        await program.printed('done rejected');
        t.expect(program.output).toContain(`done rejected: ${chain('bad')}`);
        // The rest of the process goes on, long after.
        const ticks = program.count('foreign tick');
        await program.printed('foreign tick', ticks + 5);
        t.expect(program.output).not.toContain('exit code 1');
        // SIGTERM is Node's own as before.
        program.send('SIGTERM');
        t.expect(await program.ended()).toBe('SIGTERM');
      });
    }
  }

  for (const code of [undefined, 7]) {
    test(`[AC-30] the code is that of the process's owner: ${code ?? 'none'}`, async (t) => {
      const { program } = await runner.open(t, {
        host: 'context',
        owner: 'attach',
        operator: { ...unthrottled, crash: 'reject' },
        widgets: { bad: { boo: true } },
        foreign: { ticks: 20, ...(code === undefined ? {} : { code }) },
      });
      t.expect(await program.ended()).toBe(code ?? 0);
      t.expect(program.output).toContain(`done rejected: ${chain('bad')}`);
      t.expect(program.count('foreign tick')).toBe(20);
    });
  }
});
