import type { OperatorConfig } from '../../../src/engine/operator-config.js';
import { Reflector } from '../../../src/engine/watching/reflector.js';
import type { KindPresence, ReflectorOptions } from '../../../src/engine/watching/reflector.js';
import { FakeClock, settle } from './fake-clock.js';
import { ScriptedClient } from './scripted-client.js';
import type { ScriptedStream } from './scripted-client.js';
import { storeRig, watchingConfig, widgets } from './support.js';
import type { StoreRig } from './support.js';
import type { StoredObject } from '../../../src/engine/kube-object.js';

export interface ReflectorRig extends StoreRig {
  readonly clock: FakeClock;
  readonly client: ScriptedClient;
  readonly reflector: Reflector;
  /** What discovery answers. */
  kind: KindPresence | Error;
  /** How often discovery was asked. */
  asked: number;
  /** Rejection of run, once there. */
  failure: unknown;
  ended: boolean;
  stop(): Promise<void>;
  /** Answers the first list by pages and opens the watch from its version. */
  sync(items: readonly StoredObject[], version: number | string): Promise<ScriptedStream>;
  /** Lets a back-off pass, whichever it is. */
  backOff(): Promise<void>;
}

export interface RigOptions {
  readonly config?: Partial<OperatorConfig['watching']>;
  /** What the random port gives: waits are 1 plus this times the delay. */
  readonly random?: () => number;
  readonly options?: Partial<ReflectorOptions>;
}

/** A reflector that runs against a scripted server; by pages unless the test asks for WatchList. */
export async function reflectorRig({
  config = {},
  random = () => 0,
  options = {},
}: RigOptions = {}): Promise<ReflectorRig> {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  const base = storeRig();
  const controller = new AbortController();
  const reflector = new Reflector({
    client,
    resource: widgets,
    namespace: undefined,
    store: base.store,
    config: { ...watchingConfig, watchList: false, ...config },
    clock,
    random: { next: random },
    logger: base.logs.logger,
    resolveKind: () => {
      rig.asked++;
      return rig.kind instanceof Error ? Promise.reject(rig.kind) : Promise.resolve(rig.kind);
    },
    ...options,
  });
  const rig: ReflectorRig = {
    ...base,
    clock,
    client,
    reflector,
    kind: 'served',
    asked: 0,
    failure: undefined,
    ended: false,
    async stop() {
      controller.abort(new Error('test over'));
      await settle();
    },
    async sync(items, version) {
      await client.next('list').reply(items, version);
      return client.next('watch').open();
    },
    async backOff() {
      for (let waited = 0; waited < 120_000 && client.waiting === 0; waited += 100) await clock.advance(100);
    },
  };
  reflector.run(controller.signal).then(
    () => (rig.ended = true),
    (error: unknown) => {
      rig.ended = true;
      rig.failure = error;
    },
  );
  await settle();
  return rig;
}
