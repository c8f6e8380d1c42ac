import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/engine/client/api-client.js';
import { defaultConfig } from '../../src/engine/defaults.js';
import type { Engine } from '../../src/engine/engine-types.js';
import type { ActivityContext, ActivityDefinition } from '../../src/engine/handling/handler-definition.js';
import { IndexRegistry } from '../../src/engine/indexing/index-registry.js';
import { createEngine } from '../../src/engine/operator-engine.js';
import { createLogger } from '../../src/engine/ports/index.js';
import { FakeClock } from './client/fake-clock.js';

type Activity = (context: ActivityContext) => Promise<unknown>;

interface Rig {
  readonly clock: FakeClock;
  readonly engine: Engine;
  /** What happened, in order. */
  readonly steps: string[];
  /** Moves the clock on, with all that follows from it. */
  advance(by: number): Promise<void>;
}

const settle = async (): Promise<void> => {
  for (let n = 0; n < 4; n += 1) await setImmediate();
};

/** An operator with activities and no resources: no request is ever made. */
function rig(activities: Readonly<Record<string, Activity>>): Rig {
  const clock = new FakeClock();
  const steps: string[] = [];
  const definitions = Object.keys(activities).map((id): ActivityDefinition => ({
    id,
    origin: id.includes('.') ? id : `Tests.${id}`,
    on: id.includes('cleanup') ? 'cleanup' : 'startup',
    policy: {},
  }));
  const refuse = (): Promise<never> => Promise.reject(new Error('No request was expected.'));
  const client: ApiClient = { request: refuse, stream: refuse };
  const engine = createEngine({
    config: { ...defaultConfig, name: 'op.example', crash: 'reject' },
    handlers: [],
    activities: definitions,
    invoker: {
      invoke: refuse,
      invokeActivity: async ({ id }, context) => {
        steps.push(id);
        await activities[id]?.(context);
        steps.push(`${id} ended`);
      },
    },
    indexes: new IndexRegistry(),
    client,
    clock,
    random: { next: () => 0.5 },
    exit: { setCode: () => undefined, exit: () => undefined },
    logger: createLogger(() => undefined),
    closeApp: async () => {
      steps.push('close');
    },
  });
  const advance = async (by: number): Promise<void> => {
    await settle();
    clock.advance(by);
    await settle();
  };
  return { clock, engine, steps, advance };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
const nothing = (): Promise<void> => Promise.resolve();

describe('a stop during the start', () => {
  it('waits for the start-up handler to end after its abort, and only then cleans up and closes', async () => {
    const held = Promise.withResolvers<void>();
    const { engine, steps, advance, clock } = rig({
      first: nothing,
      slow: async ({ signal }) => {
        await aborted(signal);
        await held.promise;
        signal.throwIfAborted();
      },
      cleanupLater: nothing,
    });
    const refusal = engine.start().catch((error: unknown) => error);
    await settle();
    const stop = engine.stop();
    await advance(0);
    expect(steps).toEqual(['first', 'first ended', 'slow']);
    held.resolve();
    await advance(0);
    expect(await refusal).toMatchObject({ code: 'OPERATOR_STOPPING' });
    await stop;
    expect(steps.slice(3)).toEqual(['close']);
    await expect(engine.done).resolves.toBeUndefined();
    expect([engine.getStatus().state, clock.pending]).toEqual(['stopped', 0]);
  });

  it('ends in time though the start-up handler is deaf', async () => {
    const { engine, steps, advance } = rig({ deaf: () => new Promise(() => undefined) });
    const refusal = engine.start().catch((error: unknown) => error);
    await settle();
    const stop = engine.stop();
    const { grace } = defaultConfig.shutdown;
    await advance(0);
    await advance(grace - 1);
    expect(steps).toEqual(['deaf']);
    await advance(1);
    await stop;
    expect(steps).toEqual(['deaf', 'close']);
    expect(await refusal).toMatchObject({ code: 'OPERATOR_STOPPING' });
  });

  it('by an unrecoverable error rejects the start and done with that error', async () => {
    const { engine, steps, advance } = rig({
      slow: async ({ signal }) => {
        await aborted(signal);
        signal.throwIfAborted();
      },
    });
    const refusal = engine.start().catch((error: unknown) => error);
    await settle();
    engine.fatal(new Error('lost'), 'test');
    engine.fatal(new Error('later'), 'test');
    await advance(0);
    expect(await refusal).toMatchObject({ code: 'OPERATOR_FAILED', cause: { message: 'lost' } });
    await expect(engine.done).rejects.toBe(await refusal);
    expect(steps).toEqual(['slow']);
  });

  it('that comes between the last start-up handler and the tasks starts none of them', async () => {
    const { engine, advance, clock } = rig({
      last: async () => {
        stop = engine.stop();
      },
    });
    let stop: Promise<void> | undefined;
    const refusal = engine.start().catch((error: unknown) => error);
    await advance(0);
    expect(await refusal).toMatchObject({ code: 'OPERATOR_STOPPING' });
    await stop;
    expect([engine.getStatus().tasks, clock.pending]).toEqual([[], 0]);
  });
});

describe('clean-up handlers', () => {
  it('are not aborted with the handlers that did not end within the drain', async () => {
    const signals: boolean[] = [];
    const { engine, steps, advance } = rig({
      'One.startup': nothing,
      'Two.startup': () => new Promise(() => undefined),
      'One.cleanup': ({ signal }) => {
        signals.push(signal.aborted);
        return Promise.resolve();
      },
    });
    const refusal = engine.start().catch((error: unknown) => error);
    await settle();
    engine.fatal(new Error('lost'));
    await advance(0);
    const { crashDrain, grace } = defaultConfig.shutdown;
    await advance(crashDrain);
    await advance(grace);
    await refusal;
    expect(signals).toEqual([false]);
    expect(steps.slice(3)).toEqual(['One.cleanup', 'One.cleanup ended']);
  });
});

describe('the start', () => {
  it('runs once, however often it is asked for, and not after a stop', async () => {
    const { engine, steps, advance } = rig({ first: nothing });
    expect(engine.start()).toBe(engine.start());
    await engine.start();
    expect(steps).toEqual(['first', 'first ended']);
    const stop = engine.stop();
    await advance(0);
    await stop;
    const { engine: other, advance: later } = rig({ first: nothing });
    const early = other.stop();
    await later(0);
    await early;
    await expect(other.start()).rejects.toMatchObject({ code: 'OPERATOR_STOPPING' });
  });
});

describe('whenSynced()', () => {
  it('is one wait, however often it is asked for: it must not add up while the operator lives', async () => {
    const { engine, advance } = rig({});
    const early = engine.whenSynced();
    expect(engine.whenSynced()).toBe(early);
    await engine.start();
    await early;
    const stop = engine.stop();
    await advance(0);
    await stop;
  });
});
