import { afterAll, beforeAll, describe, test } from 'vitest';
import { patience, ProgramRunner } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
const inOrder = ['Root tasks stopped', 'clean-up', ...hooks, 'Operator failed', 'exit 1'];
const handler = 'handler WidgetHandlers.ensure of widgets.v1.demo.example default/careless';

describe.concurrent('an error that nobody caught, from a handler', patience, () => {
  for (const [does, kind, message] of [
    ['reject', 'unhandled rejection', 'lost promise'],
    ['throw', 'uncaught exception', 'lost timer'],
  ] as const) {
    for (const [host, owner] of [
      ['http', 'attach'],
      ['context', 'run'],
      ['microservice', 'attach'],
    ] as const) {
      test(`[FS-26] ${host}, ${owner}: ${kind} is attributed to it and closes the application, code 1`, async (t) => {
        const { program, create } = await runner.open(t, { host, owner });
        await program.printed('ready');
        await create('careless', { does });
        t.expect(await program.ended()).toBe(1);
        t.expect(program.order(inOrder)).toEqual(inOrder);
        const told = program.errors().find(({ text }) => text.startsWith('Unrecoverable error; the operator stops'));
        t.expect(told?.text).toBe(
          `Unrecoverable error; the operator stops origin="${handler} (${kind})" error="Error: ${message}"`,
        );
        t.expect(program.errors().at(-1)?.text).toContain(` <- Error: ${message}`);
      });
    }

    test(`${kind}: module only, it is left to Node`, async (t) => {
      const { program, create } = await runner.open(t, { host: 'http', owner: 'module' });
      await program.printed('ready');
      await create('careless', { does });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(inOrder)).toEqual(['exit 1']);
      t.expect(program.output).toMatch(new RegExp(`^Error: ${message}$`, 'm'));
    });

    test(`${kind}: with processErrors: false, it is left to Node`, async (t) => {
      const { program, create } = await runner.open(t, { host: 'context', owner: 'run', processErrors: false });
      await program.printed('ready');
      await create('careless', { does });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order(inOrder)).toEqual(['exit 1']);
      t.expect(program.output).toMatch(new RegExp(`^Error: ${message}$`, 'm'));
    });

    test(`[AC-30] ${kind}: with crash: 'reject' it rejects done and leaves the process alone`, async (t) => {
      const { program } = await runner.open(t, {
        host: 'context',
        owner: 'attach',
        operator: { crash: 'reject' },
        widgets: { careless: { does } },
        foreign: { ticks: 20 },
      });
      t.expect(await program.ended()).toBe(0);
      t.expect(program.output).toContain(`done rejected: The operator failed unrecoverably in: ${handler} (${kind})`);
      t.expect(program.output).toContain(`<- ${message}`);
      t.expect(program.count('foreign tick')).toBe(20);
      t.expect(program.output).not.toContain('exit code 1');
    });
  }
});

describe.concurrent('an error that nobody caught, from elsewhere', patience, () => {
  for (const [does, kind, message] of [
    ['reject', 'unhandled rejection', 'foreign rejection'],
    ['throw', 'uncaught exception', 'foreign error'],
  ] as const) {
    for (const host of ['http', 'context'] as const) {
      test(`${host}, attach: ${kind} is rethrown: what happens is what Node does`, async (t) => {
        const { program } = await runner.open(t, { host, owner: 'attach', onUserSignal: does });
        await program.printed('ready');
        program.send('SIGUSR2');
        t.expect(await program.ended()).toBe(1);
        t.expect(program.order(['Unrecoverable error', ...inOrder])).toEqual(['exit 1']);
        t.expect(program.output).toMatch(new RegExp(`\\n +throw .*\\n[^]*^Error: ${message}\\n +at `, 'm'));
      });

      test(`${host}, run: ${kind} closes the application, code 1`, async (t) => {
        const { program } = await runner.open(t, { host, owner: 'run', onUserSignal: does });
        await program.printed('ready');
        program.send('SIGUSR2');
        t.expect(await program.ended()).toBe(1);
        t.expect(program.order(inOrder)).toEqual(inOrder);
        t.expect(program.output).toContain(
          `Unrecoverable error; the operator stops origin="process (${kind})" error="Error: ${message}"`,
        );
      });
    }
  }
});
