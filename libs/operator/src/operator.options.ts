import type { LoggerService } from '@nestjs/common';
import type { Duration } from './duration.js';
import type { KubeConfigSource } from './engine/client/credentials/load-cluster-access.js';
import type { DeclaredAccess } from './engine/access/access-rule.js';
import type { StoredObject } from './engine/kube-object.js';
import type { RecordStore, RecordStoreName } from './engine/persistence/record-store.js';

/** How requests are sent. */
export interface ClientDefaults {
  /**
   * Waits before each repetition of a failed read. A Retry-After of the server is respected.
   * @defaultValue `['1s', '1s', '2s', '3s', '5s', '8s', '13s', '21s']`
   */
  readonly retries?: readonly Duration[];
  /**
   * Time for one attempt of a request.
   * @defaultValue '30s'
   */
  readonly timeout?: Duration;
}

/** How resources are watched. */
export interface WatchingOptions {
  /** Waits before listing or watching again; each is 1 to 2 times what is given here. */
  readonly backoff?: {
    /** @defaultValue '800ms' */
    readonly initial?: Duration;
    /** @defaultValue 2 */
    readonly factor?: number;
    /** @defaultValue '30s' */
    readonly cap?: Duration;
    /**
     * That long in good health, and the waits start over.
     * @defaultValue '2m'
     */
    readonly reset?: Duration;
  };
  /** Bounds of the time after which the server is to end a watch; drawn anew for each. */
  readonly timeout?: {
    /** @defaultValue '5m' */
    readonly min?: Duration;
    /** @defaultValue '10m' */
    readonly max?: Duration;
  };
  /**
   * Objects per page of a list.
   * @defaultValue 500
   */
  readonly pageSize?: number;
  /**
   * Without a byte for that long, a watch counts as dead.
   * @defaultValue '75s'
   */
  readonly silence?: Duration;
  /**
   * Time for the first list and watch of each resource; then the operator ends.
   * @defaultValue '2m'
   */
  readonly syncTimeout?: Duration;
  /**
   * When for that long not one watch is in sync because access is refused, the operator ends.
   * @defaultValue '5m'
   */
  readonly failAfter?: Duration;
  /**
   * After the first sync, when access is refused: try again (see `failAfter`), or end at once.
   * @defaultValue 'retry'
   */
  readonly onForbidden?: 'retry' | 'exit';
  /**
   * When a resource does not exist: end after `syncTimeout`, or wait for it without end.
   * @defaultValue 'fail'
   */
  readonly missingKind?: 'fail' | 'wait';
  /**
   * Have the server leave out objects that no handler of a resource wants, by the labels that all of its handlers name (a text,
   * PRESENT or ABSENT), and the `metadata.name` or `metadata.namespace` that all of them want.
   * @defaultValue true
   */
  readonly pushSelectors?: boolean;
  /**
   * Take first lists as a stream where the server offers it; pages otherwise.
   * @defaultValue true
   */
  readonly watchList?: boolean;
  /**
   * What is kept of each object: all but `managedFields`, everything, or what a pure function makes of it (it must keep
   * apiVersion, kind and the identity in metadata; it sees no `managedFields`).
   * @defaultValue 'withoutManagedFields'
   */
  readonly keep?: 'withoutManagedFields' | 'everything' | ((object: StoredObject) => StoredObject);
}

/** How work is ordered and limited. */
export interface QueueOptions {
  /**
   * Waits of one object after framework or API errors of its processing; the last one repeats. Empty: such an error
   * ends the operator.
   * @defaultValue 1, 1, 2, 3, 5, 8 … 610 seconds
   */
  readonly throttle?: readonly Duration[];
  readonly concurrency?: {
    /**
     * Objects of one resource at a time.
     * @defaultValue 10
     */
    readonly perResource?: number;
    /**
     * Objects in all at a time.
     * @defaultValue 50
     */
    readonly total?: number;
  };
  /**
   * A quiet object is processed again after that time, plus or minus 10 %.
   * @defaultValue '10h'
   */
  readonly resync?: Duration;
  /**
   * A handler without its own `timeout` counts as stuck after that time.
   * @defaultValue '10m'
   */
  readonly stuckAfter?: Duration;
}

/** Waits between attempts of a handler that gives none itself. */
export interface RetryDefaults {
  /** @defaultValue '1s' */
  readonly initial?: Duration;
  /** @defaultValue 2 */
  readonly factor?: number;
  /** @defaultValue '5m' */
  readonly cap?: Duration;
  /**
   * Each wait varies by up to this fraction, either way.
   * @defaultValue 0.2
   */
  readonly jitter?: number;
}

/** How the operator stops. */
export interface ShutdownOptions {
  /**
   * What running handlers get on a clean stop before they are aborted.
   * @defaultValue '20s'
   */
  readonly drain?: Duration;
  /**
   * The same after an unrecoverable error.
   * @defaultValue '2s'
   */
  readonly crashDrain?: Duration;
  /**
   * The whole stop, whatever hangs. Keep it below the pod's termination grace period.
   * @defaultValue '25s'
   */
  readonly deadline?: Duration;
  /**
   * What handlers get once they are aborted.
   * @defaultValue '5s'
   */
  readonly grace?: Duration;
}

/** The names under which an operator written with Kopf kept its state. */
export interface KopfOptions {
  /**
   * The domain of its annotations.
   * @defaultValue 'kopf.zalando.org'
   */
  readonly prefix?: string;
  /** @defaultValue 'kopf.zalando.org/KopfFinalizerMarker' */
  readonly finalizer?: string;
  /**
   * The member of `status` in which older versions, and operators set up so, keep state.
   * @defaultValue 'kopf'
   */
  readonly statusField?: string;
}

/** Where the records of objects are kept: what handlers have handled, and how far they are. */
export interface PersistenceOptions {
  /**
   * `annotations` of the object; its `status`, under `status.nestjsOperator`, which the resource's schema has to know;
   * `both` (written to both, read from either); or a name in `stores`. A handler class can choose another one for its
   * resource: `@ResourceHandlers(Widget, { store: 'status' })`. What another store left on an object is taken over.
   * @defaultValue 'annotations'
   */
  readonly store?: RecordStoreName;
  /**
   * Stores of your own, by the names that `store` and handler classes give.
   * @defaultValue none
   */
  readonly stores?: Readonly<Record<string, RecordStore>>;
  /**
   * Takes over objects that were handled by the same operator, written with Kopf: what it handled is not handled again,
   * what it was retrying goes on, its annotations and finalizer are replaced. `true`: under Kopf's default names.
   * Handlers are known by their ids and `formerIds`. Stop the old operator first.
   * @defaultValue false
   */
  readonly kopf?: boolean | KopfOptions;
}

/** When the operator counts as healthy, and where that is served. */
export interface HealthOptions {
  /**
   * Serve health on this port, without a framework: for applications that have no HTTP server. 0: any that is free.
   * @defaultValue health is not served
   */
  readonly port?: number;
  /**
   * An address of this machine to serve it on. A kubelet asks on the address of the pod, so the loopback address is for
   * sidecars and for work on a desk.
   * @defaultValue all addresses
   */
  readonly host?: string;
  readonly paths?: {
    /** @defaultValue '/livez' */
    readonly liveness?: string;
    /** @defaultValue '/readyz' */
    readonly readiness?: string;
  };
  /**
   * A watch that was in sync may be out of it for that long before the operator is no longer ready.
   * @defaultValue '10s'
   */
  readonly degradedAfter?: Duration;
  /**
   * Three timers in a row that are later than this mean that the process is not alive.
   * @defaultValue '5s'
   */
  readonly maxLag?: Duration;
}

/** How the replicas of an operator elect the one that works. */
export interface LeaderElectionOptions {
  /**
   * Handlers run in one replica at a time: the one that holds a Lease. Needs the rights to get, create and update it.
   * @defaultValue true where the operator finds its cluster by the service account of its pod, false elsewhere
   */
  readonly enabled?: boolean;
  /**
   * Namespace of the Lease.
   * @defaultValue that of the pod, or of the kubeconfig's context
   */
  readonly namespace?: string;
  /**
   * Name of the Lease.
   * @defaultValue the operator's `name`
   */
  readonly name?: string;
  /**
   * Under which name this process stands. No other process may have it at the same time. One that starts under the name of
   * one that was killed waits for the lease to run out, like any other.
   * @defaultValue the host's name with digits that are drawn at each start
   */
  readonly identity?: string;
  /**
   * A replica whose renewals are not seen for that long is followed by another one. Whole seconds in the Lease.
   * @defaultValue '15s'
   */
  readonly leaseDuration?: Duration;
  /**
   * A leader that has not renewed for that long has lost the lead: its handlers are aborted. Below `leaseDuration`. No write
   * begins with less than two seconds left of the lease.
   * @defaultValue '10s'
   */
  readonly renewDeadline?: Duration;
  /**
   * Between two renewals; standbys look at the lease somewhat more often.
   * @defaultValue '2s'
   */
  readonly retryPeriod?: Duration;
  /**
   * What follows on a lead that is lost: the process ends with code 1, or the replica becomes a standby that knows nothing of
   * its time as a leader.
   * @defaultValue 'exit'
   */
  readonly onLost?: 'exit' | 'standby';
  /**
   * Standbys list and watch, so that a takeover takes a second or two and not as long as a start.
   * @defaultValue true
   */
  readonly warmStandby?: boolean;
}

/** Options of {@link OperatorModule}. */
export interface OperatorModuleOptions {
  /**
   * A domain that you own, such as `volumes.example.com`. Annotations, finalizer and field manager carry it, so two
   * operators must not share it.
   */
  readonly name: string;
  /**
   * Former names, whose records and finalizers are taken over.
   * @defaultValue none
   */
  readonly formerNames?: readonly string[];
  /**
   * Watched namespaces: names, globs (`team-*`; `?` is one character) and exclusions (`!*-test`), also several in one text,
   * with commas between them. The last one that fits a namespace decides; when the first one excludes, all others are
   * watched. Names alone need no right on namespaces; anything else needs to list and watch them.
   * @defaultValue all, with cluster-wide requests
   */
  readonly namespaces?: readonly string[];
  /**
   * The cluster: path or content of a kubeconfig, client-node's KubeConfig, `{ file, context }` or `{ inCluster: true }`.
   * @defaultValue `KUBECONFIG`, `~/.kube/config`, the pod's service account, in this order
   */
  readonly kubeConfig?: KubeConfigSource;
  readonly client?: ClientDefaults;
  readonly watching?: WatchingOptions;
  readonly queue?: QueueOptions;
  readonly retry?: RetryDefaults;
  readonly shutdown?: ShutdownOptions;
  readonly events?: {
    /**
     * Post Kubernetes events about objects.
     * @defaultValue true
     */
    readonly enabled?: boolean;
    /**
     * Post Warning events about failures: `HandlerFailed`, `HandlerGaveUp` and `ProcessingFailed`. They carry the messages
     * of errors.
     * @defaultValue true
     */
    readonly failures?: boolean;
  };
  readonly persistence?: PersistenceOptions;
  /**
   * One replica works at a time, others stand by. `true` or `false` in place of `{ enabled }`.
   * @defaultValue on in a cluster, off elsewhere
   */
  readonly leaderElection?: boolean | LeaderElectionOptions;
  readonly health?: HealthOptions;
  /**
   * Ask the server at the start, and for each resource that is served later, whether the account may do all that handlers need,
   * and tell what is missing with the rules to add: not at all, as a warning, or as the end of the operator where it cannot do
   * without. Answers that cannot be had are told and never fatal.
   * @defaultValue 'warn'
   */
  readonly preflight?: 'off' | 'warn' | 'fail';
  /**
   * What the application's own code asks of the API, beyond what follows from handlers: for the preflight, for `describe()` and
   * for generated manifests. Grants nothing.
   * @defaultValue nothing
   */
  readonly access?: readonly DeclaredAccess[];
  /**
   * After an unrecoverable error: close the application and end the process with code 1, or only stop the operator and
   * reject `OperatorRef.done`, with the rest of the application left alone.
   * @defaultValue 'exit'
   */
  readonly crash?: 'exit' | 'reject';
  /**
   * Start with the application; otherwise by `OperatorRef.start()`.
   * @defaultValue true
   */
  readonly autoStart?: boolean;
  /**
   * Apply the application's global guards, interceptors, pipes and exception filters (`useGlobal…`, `APP_…`) to handlers as well:
   * outermost, and with `context.getType() === 'operator'`. What is written for HTTP alone must ask
   * {@link isOperatorContext} first.
   * @defaultValue false
   */
  readonly globalEnhancers?: boolean;
  /**
   * Where the operator logs.
   * @defaultValue the application's logger
   */
  readonly logger?: LoggerService;
}

/** Makes the options in `forRootAsync({ useClass })` and `useExisting`. */
export interface OperatorOptionsFactory {
  createOperatorOptions(): OperatorModuleOptions | Promise<OperatorModuleOptions>;
}
