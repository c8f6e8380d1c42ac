import { setTimeout as pause } from 'node:timers/promises';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type {
  CycleEndFact,
  CycleFact,
  EngineObserver,
  HandlerEndFact,
  HandlerFact,
  RequestEndFact,
  RequestFact,
} from '../../../src/engine/engine-observer.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { engineRig, widgetDefinition, widgetType, type EngineRig } from '../engine-rig.js';
import { on } from '../processing/rig.js';

const widgets = 'widgets.v1.demo.example';

let server: ApiServer;
let rig: EngineRig | undefined;

beforeEach(async () => {
  server = await startApiServer({ crds: [widgetDefinition] });
  await server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'secret-place' } });
});

afterEach(async () => {
  await rig?.engine.stop();
  await rig?.close();
  await server.close();
});

const create = (name: string): Promise<unknown> =>
  server.create({ ...widgetType, metadata: { name, namespace: 'secret-place' }, spec: { size: 1 } });

async function rest(): Promise<void> {
  do await pause(20);
  while ((rig?.engine.getStatus().due ?? 0) > 0);
}

describe('what the engine tells', () => {
  it('is the life of the operator, of its watches and of its resources', async () => {
    const told: string[] = [];
    rig = engineRig({
      server,
      handlers: { ensure: [on.create()] },
      observer: {
        onOperatorState: (state, previous) => told.push(`${previous} -> ${state}`),
        onSynced: () => told.push('synced'),
        onResourceServed: (resource) => told.push(`served ${resource}`),
        onWatchState: ({ resource, namespace }, state, previous, cause) =>
          told.push(
            `${resource} ${namespace ?? '*'} ${previous} -> ${state}${cause === undefined ? '' : ` ${cause.kind}`}`,
          ),
        onWatchRestart: ({ resource }, reason) => told.push(`restart ${resource} ${reason}`),
        onWatchRecovered: ({ resource }, degradedFor) => told.push(`recovered ${resource} ${degradedFor >= 0}`),
      },
    });
    await rig.engine.start();
    await rig.engine.whenSynced();
    server.watches.cut({ how: 'reset', resource: 'widgets' });
    while (!told.some((each) => each.startsWith('recovered'))) await pause(5);
    await rig.engine.stop();
    expect(told).toEqual([
      'idle -> starting',
      'starting -> running',
      `served ${widgets}`,
      `${widgets} * idle -> listing`,
      `${widgets} * listing -> watching`,
      'synced',
      `restart ${widgets} cut`,
      `${widgets} * watching -> degraded cut`,
      `${widgets} * degraded -> watching`,
      `recovered ${widgets} true`,
      'running -> draining',
      `${widgets} * watching -> stopped`,
      'draining -> stopping',
      'stopping -> stopped',
    ]);
  });

  it('is each call with its outcome, each cycle around it, and each request without names', async () => {
    const calls: Array<{ readonly fact: HandlerFact; readonly end: HandlerEndFact }> = [];
    const open = new Set<object>();
    const cycles: Array<CycleFact & CycleEndFact> = [];
    const requests: Array<RequestFact & RequestEndFact> = [];
    const counts = { adds: 0, waits: 0, works: 0, events: 0, changes: 0 };
    const observer: EngineObserver = {
      onHandlerStart: (fact) => open.add(fact),
      onHandlerEnd: (fact, end) => {
        expect(open.delete(fact)).toBe(true);
        calls.push({ fact, end });
      },
      onCycleStart: (fact) => open.add(fact),
      onCycleEnd: (fact, end) => {
        expect(open.delete(fact)).toBe(true);
        cycles.push({ ...fact, ...end });
      },
      onRequestStart: (fact) => open.add(fact),
      onRequestEnd: (fact, end) => {
        expect(open.delete(fact)).toBe(true);
        requests.push({ ...fact, ...end });
      },
      onQueueAdd: () => (counts.adds += 1),
      onQueueWait: (_, __, waited) => (counts.waits += waited >= 0 ? 1 : 0),
      onQueueWork: (_, __, worked) => (counts.works += worked >= 0 ? 1 : 0),
      onWatchEvent: (_, type) => (counts.events += type === 'BOOKMARK' ? 0 : 1),
      onObjectChange: () => (counts.changes += 1),
    };
    let failures = 0;
    rig = engineRig({
      server,
      observer,
      handlers: { flaky: [on.create()], hopeless: [on.create()], fine: [on.create()], seen: [on.event()] },
      config: { retry: { initial: 20, factor: 1, cap: 20, jitter: 0 } },
      invoke: (handler) => {
        if (handler === 'hopeless') throw new PermanentError('secret words');
        if (handler === 'flaky' && failures++ === 0) throw new TemporaryError('secret words', { delay: 20 });
        return undefined;
      },
    });
    await rig.engine.start();
    await rig.engine.whenSynced();
    await create('secret-name');
    while (calls.filter(({ fact }) => fact.handler === 'flaky').length < 2) await pause(5);
    await rest();
    const shown = calls
      .filter(({ fact }) => fact.cause !== 'event')
      .map(({ fact, end }) => `${fact.handler} ${fact.cause} ${fact.attempt} ${end.outcome} ${end.error?.code ?? ''}`);
    expect(shown).toEqual([
      'flaky create 1 temporary OPERATOR_TEMPORARY',
      'hopeless create 1 permanent OPERATOR_PERMANENT',
      'fine create 1 succeeded ',
      'flaky create 2 succeeded ',
    ]);
    expect(calls[0]?.fact).toMatchObject({ resource: widgets, key: 'secret-place/secret-name' });
    expect(calls.every(({ end }) => end.duration >= 0)).toBe(true);
    expect(calls.some(({ fact, end }) => fact.cause === 'event' && end.outcome === 'succeeded')).toBe(true);
    expect(cycles.length).toBeGreaterThanOrEqual(2);
    expect(cycles.every(({ result }) => result === 'done')).toBe(true);
    expect(counts.waits).toBe(counts.works);
    expect(counts.adds).toBeGreaterThan(0);
    expect(counts.events).toBeGreaterThan(0);
    expect(counts.changes).toBeGreaterThan(0);
    expect(open.size).toBe(0);
    const patches = requests.filter(({ verb }) => verb === 'patch');
    expect(patches[0]).toMatchObject({
      resource: widgets,
      template: '/apis/demo.example/v1/namespaces/{namespace}/widgets/{name}',
      status: 200,
      attempt: 1,
      error: undefined,
    });
    expect(requests.some(({ verb, pool, status }) => verb === 'watch' && pool === 'watches' && status === 200)).toBe(
      true,
    );
    const text = JSON.stringify([requests, calls.map(({ end }) => end)]);
    expect(text).not.toContain('secret');
  });

  it('is an object that is throttled and comes back, and what failed', async () => {
    const told: string[] = [];
    server.faults.add({
      match: { verb: 'patch', resource: 'widgets', times: 1 },
      do: { action: 'answer', status: 422 },
    });
    rig = engineRig({
      server,
      handlers: { ensure: [on.create()] },
      config: { queue: { ...defaultConfig.queue, throttle: [20] } },
      observer: {
        onThrottled: (resource, key, delay, error) => told.push(`throttled ${resource} ${key} ${delay} ${error.code}`),
        onUnthrottled: (resource, key) => told.push(`unthrottled ${resource} ${key}`),
        onCycleEnd: (_, { result, error }) => told.push(`cycle ${result} ${error?.name ?? ''}`),
        onQueueRetry: (resource) => told.push(`retry ${resource}`),
      },
    });
    await rig.engine.start();
    await rig.engine.whenSynced();
    await create('one');
    while (!told.some((each) => each.startsWith('unthrottled'))) await pause(5);
    await rest();
    expect(told.slice(0, 3)).toEqual([
      'cycle throttled ApiError',
      `throttled ${widgets} secret-place/one 20 OPERATOR_API`,
      `retry ${widgets}`,
    ]);
    expect(told).toContain(`unthrottled ${widgets} secret-place/one`);
  });
});
