import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FailedStart } from './fixtures/failing-starts.js';
import { compilePrograms, root, scratchFolder, type Programs } from './support/compile.js';
import { patience, startProgram } from './support/program.js';

let programs: Programs;
beforeAll(async () => {
  programs = await compilePrograms(await scratchFolder(join(root, 'test/process')));
});
afterAll(() => programs.remove());

/** As in the program: the time that a start has, in real milliseconds. */
const limit = 5_000;
/** What the operator gives by default to handlers that are aborted. */
const grace = 5_000;

interface Run {
  readonly starts: ReadonlyMap<string, FailedStart>;
  /** From the last line of the program to its end, in real milliseconds. */
  readonly ending: number;
}

async function runStarts(names: readonly string[], scope: { onTestFinished(end: () => Promise<void>): void }) {
  const program = startProgram(join(programs.folder, 'failing-starts.js'), names);
  scope.onTestFinished(async () => {
    program.kill();
    await program.ended();
  });
  await program.printed('done\n');
  const done = performance.now();
  expect(await program.ended(), program.output).toBe(0);
  const lines = program.output.trimEnd().split('\n');
  expect(lines.slice(-2)).toEqual(['done', 'nothing left open']);
  const printed = lines.slice(0, -2).map((line) => JSON.parse(line) as FailedStart);
  expect(printed.map(({ name }) => name)).toEqual(names);
  const run: Run = { starts: new Map(printed.map((start) => [start.name, start])), ending: performance.now() - done };
  return run;
}

const notUp = 'The hooks onModuleInit and onApplicationBootstrap did not end within 500 ms.';
const notSynced = 'The operator was not in sync within 500 ms. The operator is starting.';
const notSyncedVirtually = 'The operator was not in sync within 600000 ms of virtual time. The operator is starting.';
const closed = { messages: [] };

/** The causes, and how closing ends; `undefined` where nothing was handed out that could be closed. */
const expected: Readonly<Record<string, { cause: string; code?: string; close?: object }>> = {
  constructorThrows: { cause: 'broken on purpose' },
  moduleInitHangs: { cause: notUp, code: 'TESTING_KIT_TIMEOUT' },
  bootstrapHangs: { cause: notUp, code: 'TESTING_KIT_TIMEOUT' },
  noApi: { cause: 'ECONNREFUSED', code: 'OPERATOR_FAILED', close: closed },
  fatalError: { cause: 'the disk is gone', code: 'OPERATOR_FAILED', close: closed },
  startupHangsInVirtualTime: { cause: notSyncedVirtually, code: 'TESTING_KIT_TIMEOUT', close: closed },
  startupHangs: { cause: notSynced, code: 'TESTING_KIT_TIMEOUT', close: closed },
};

function expectFailure({ starts }: Run, name: string): void {
  const { start, close } = starts.get(name)!;
  const { cause, code, close: closing } = expected[name]!;
  expect(start.messages.join(' <- '), name).toContain(cause);
  expect(start.code, name).toBe(code);
  expect(start.time, name).toBeLessThan(limit);
  if (closing === undefined) expect(close, name).toBeUndefined();
  else expect(close, name).toMatchObject(closing);
  expect(close?.time ?? 0, name).toBeLessThan(limit);
}

test(
  '[TC-70] starts that fail reject with their causes in time; the process then ends by itself',
  patience,
  async (t) => {
    const names = Object.keys(expected);
    const run = await runStarts(names, t);
    for (const name of names) expectFailure(run, name);
    expect(run.ending).toBeLessThan(3_000);
  },
);

// In one process, a slow start would hide what an earlier one has left.
for (const name of Object.keys(expected)) {
  test(`${name} alone leaves nothing that keeps the process`, patience, async (t) => {
    const run = await runStarts([name], t);
    expectFailure(run, name);
    expect(run.ending).toBeLessThan(3_000);
  });
}

test(
  'close() with less time than an aborted start-up has rejects; the process ends with that time',
  patience,
  async (t) => {
    const { starts, ending } = await runStarts(['startupHangsOn'], t);
    const { close } = starts.get('startupHangsOn')!;
    expect(close?.code).toBe('TESTING_KIT_TIMEOUT');
    expect(close?.messages.join()).toMatch(
      /^The testing module did not close within 500 ms\. The operator is \w+: its handlers/,
    );
    expect(close?.time).toBeLessThan(limit);
    expect(ending).toBeLessThan(grace + 3_000);
  },
);
