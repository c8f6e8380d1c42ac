import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LogEntry } from '../../../libs/operator/src/logging/log-entry.js';
import { renderCauseChain } from '../../../libs/operator/src/engine/supervision/cause-chain.js';
import {
  breakWatch,
  brokenLines,
  errorEvent,
  queueFails,
  queueFaults,
  severalWorkersFail,
  watchInSync,
  workerFails,
  workerFailsBesideSlowHandler,
} from './scenarios.js';
import { planted, type Scene } from './support.js';

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  await scene?.stage.close();
  scene = undefined;
  vi.restoreAllMocks();
});

async function brokenWatch(line: string): Promise<Scene> {
  const broken = await watchInSync();
  await breakWatch(broken, line, 5);
  return broken;
}

const scenarios: Readonly<Record<string, () => Promise<Scene>>> = {
  'AC-01 to AC-05 and AC-08': async () => (await workerFails()).scene,
  'AC-06': async () => (await severalWorkersFail()).scene,
  'AC-07 and AC-09, in time': async () => (await workerFailsBesideSlowHandler(1_000)).scene,
  'AC-07 and AC-09, too late': async () => (await workerFailsBesideSlowHandler(60_000, { deaf: true })).scene,
  'AC-10': () => brokenWatch(errorEvent(500)),
  ...Object.fromEntries(Object.entries(brokenLines).map(([what, line]) => [`AC-11, ${what}`, () => brokenWatch(line)])),
  ...Object.fromEntries(
    Object.entries(queueFaults).map(([what, fault]) => [`AC-12, ${what}`, async () => (await queueFails(fault)).scene]),
  ),
};

describe('no record of a crash holds what must stay private', () => {
  for (const [checks, crash] of Object.entries(scenarios)) {
    test(`[AC-27] ${checks}`, async () => {
      scene = await crash();
      const failure = await scene.failure();
      const { logs, api, transport } = scene;
      // What is looked for was really there: in objects that the operator read, and in its requests.
      expect(JSON.stringify([...(await api.list({ apiVersion: 'demo.example/v1', kind: 'Widget' }))])).toContain(
        planted.spec,
      );
      expect(transport.sent.length).toBeGreaterThan(0);
      expect(api.requests.filter(({ user }) => user === 'operator').length).toBeGreaterThan(0);

      expect(logs.records.length).toBeGreaterThan(10);
      for (const record of logs.records) {
        const forms = [
          inspect(record, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }),
          JSON.stringify(new LogEntry(record)),
          String(new LogEntry(record)),
          ...(record.error === undefined ? [] : [renderCauseChain(record.error)]),
        ];
        for (const form of forms) for (const secret of Object.values(planted)) expect(form).not.toContain(secret);
        // Fields are identifiers, counts and names: nothing that has the shape of an object or of an argument list.
        expect(
          Object.values(record.fields).every((value) => isPlain(value)),
          record.message,
        ).toBe(true);
      }
      const shown = inspect(failure, { depth: 20, showHidden: true, maxStringLength: null });
      for (const secret of Object.values(planted)) expect(shown).not.toContain(secret);
    });
  }
});

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
}
