import { everyAccount } from '../../../../apiserver/src/access/authorizer.js';
import { serverIdentity } from '../../../../apiserver/src/access/identity.js';
import { Activity } from '../../../../apiserver/src/activity.js';
import { GarbageCollector } from '../../../../apiserver/src/controllers/garbage-collector.js';
import { DefinitionController } from '../../../../apiserver/src/custom/definition-controller.js';
import { DirectClient } from '../../../../apiserver/src/direct-client.js';
import { DocumentRoutes } from '../../../../apiserver/src/discovery/document-routes.js';
import { FieldManager } from '../../../../apiserver/src/fields/field-manager.js';
import { VersionConversion } from '../../../../apiserver/src/fields/version-conversion.js';
import { Rendering } from '../../../../apiserver/src/http/rendering.js';
import type { JsonObject } from '../../../../apiserver/src/json.js';
import { Representations } from '../../../../apiserver/src/pipeline/representations.js';
import { defaultLimits, type ServerContext } from '../../../../apiserver/src/pipeline/server-context.js';
import { ResourceRegistry } from '../../../../apiserver/src/resources/resource-registry.js';
import { Store, type StoreEvent, type StoreSnapshot } from '../../../../apiserver/src/store/store.js';
import { WatchFrames } from '../../../../apiserver/src/watching/watch-frames.js';
import { WatchHub } from '../../../../apiserver/src/watching/watch-hub.js';
import { ConversionWebhooks } from '../../../../apiserver/src/webhooks/conversion-webhooks.js';
import { WebhookClient } from '../../../../apiserver/src/webhooks/webhook-client.js';
import { WebhookTargets } from '../../../../apiserver/src/webhooks/webhook-targets.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedTime } from './simulated-time.js';

/** What one run brings to the cluster. */
export interface ClusterRun {
  readonly time: SimulatedTime;
  readonly random: SeededRandom;
  readonly onEvent: (event: StoreEvent) => void;
}

/**
 * The embedded API server without its sockets: its own store, pipeline, watches and garbage collector. Made once, since
 * that costs more than a run; each run begins from the same snapshot, with time and chance of its own.
 */
export class SimulatedCluster {
  readonly context: ServerContext;
  readonly client: DirectClient;
  readonly documents: DocumentRoutes;
  readonly rendering: Rendering;
  readonly frames: WatchFrames;
  readonly hub: WatchHub;
  readonly activity = new Activity();
  readonly identity = serverIdentity;
  readonly bugs: unknown[] = [];
  #run: ClusterRun | undefined;
  #beginning: StoreSnapshot;

  private constructor() {
    const store = new Store(100_000);
    const registry = new ResourceRegistry();
    const { activity } = this;
    const closing = new AbortController();
    const onInternalError = (error: unknown): void => void this.bugs.push(error);
    const clock: ServerContext['clock'] = {
      now: () => this.#run?.time.wall ?? 0,
      monotonic: () => this.#run?.time.now ?? 0,
      setTimer: (delay, fire) => this.#run?.time.after(delay, fire) ?? { cancel: () => undefined },
    };
    const random = (): number => this.#run?.random.next() ?? 0.5;
    const webhooks = new WebhookClient(clock, activity, closing.signal, new WebhookTargets({}));
    const conversion = new ConversionWebhooks(webhooks, random);
    const representations = new Representations(conversion);
    this.context = {
      store,
      registry,
      representations,
      clock,
      random,
      limits: defaultLimits,
      activity,
      onInternalError,
      authorizer: everyAccount,
      identityOfToken: () => undefined,
      // There are no webhooks.
      admission: { active: false, mutate: () => undefined, validate: () => undefined },
      fieldManagement: new FieldManager(new VersionConversion(registry, store, conversion), clock),
      closing: closing.signal,
    };
    this.documents = new DocumentRoutes(registry, () => 'simulated');
    this.rendering = new Rendering(this.context);
    this.frames = new WatchFrames(representations);
    this.hub = new WatchHub(this.context);
    this.client = new DirectClient(this.context);
    store.subscribe((event) => this.#run?.onEvent(event));
    new DefinitionController(this.context);
    new GarbageCollector(this.context, activity, onInternalError);
    this.#beginning = store.snapshot();
  }

  static async create(objects: readonly JsonObject[]): Promise<SimulatedCluster> {
    const cluster = new SimulatedCluster();
    for (const object of objects) await cluster.client.create(object);
    cluster.context.store.compact();
    cluster.#beginning = cluster.context.store.snapshot();
    return cluster;
  }

  /** Begins a run: everything is as it was at first. */
  begin(run: ClusterRun): void {
    for (const watch of this.hub.all()) watch.session.release();
    this.#run = run;
    this.context.store.restore(this.#beginning);
  }

  get isBusy(): boolean {
    return this.activity.count > 0;
  }
}
