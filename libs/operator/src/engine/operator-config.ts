import type { ResourceName } from './resource.js';
import type { DeclaredAccess } from './access/access-rule.js';
import type { StoredObject } from './kube-object.js';
import type { KopfNames } from './persistence/kopf-state.js';
import type { RecordStore, RecordStoreName } from './persistence/record-store.js';

/** Growing delays: `initial`, then times `factor`, up to `cap`. All in milliseconds. */
export interface GrowingDelay {
  readonly initial: number;
  readonly factor: number;
  readonly cap: number;
}

/** All settings, complete and checked. Durations are milliseconds. The defaults stand in `defaults.ts`. */
export interface OperatorConfig {
  /** A DNS subdomain that the user owns: domain of annotations and finalizer, name of lease and field manager. */
  readonly name: string;
  /** Former names, whose records and finalizers are taken over. */
  readonly formerNames: readonly string[];
  /** Watched namespaces, by names, globs and exclusions; `undefined`: all, with cluster-wide requests. */
  readonly namespaces: readonly string[] | undefined;
  readonly client: {
    /** Delays before each repetition of a failed read. */
    readonly retries: readonly number[];
    readonly timeout: number;
  };
  readonly watching: {
    /** `reset`: that long in good health, and the delays start over. Each wait is 1 to 2 times the delay. */
    readonly backoff: GrowingDelay & { readonly reset: number };
    /** Bounds of the random `timeoutSeconds` of a watch. */
    readonly timeout: { readonly min: number; readonly max: number };
    readonly pageSize: number;
    /** Longest silence of a watch before it counts as dead. */
    readonly silence: number;
    readonly syncTimeout: number;
    readonly failAfter: number;
    readonly onForbidden: 'retry' | 'exit';
    readonly missingKind: 'fail' | 'wait';
    /** Have the server leave out what no handler of a watch wants. */
    readonly pushSelectors: boolean;
    /** Use WatchList where the server offers it. */
    readonly watchList: boolean;
    readonly keepManagedFields: boolean;
    /** Applied to each object before it is stored. Must be pure, and keep apiVersion, kind and metadata's identity. */
    readonly transform: ((object: StoredObject) => StoredObject) | undefined;
  };
  readonly queue: {
    /** Delays after errors of one object's cycle; the last one repeats. Empty: such an error is unrecoverable. */
    readonly throttle: readonly number[];
    readonly concurrency: { readonly perResource: number; readonly total: number };
    /** A quiet object is processed again after this time, plus or minus 10 %. */
    readonly resync: number;
    readonly stuckAfter: number;
  };
  /** Defaults for handlers. */
  readonly retry: GrowingDelay & {
    /** Fraction of the delay, 0 to 1: each delay varies by up to this much, either way. */
    readonly jitter: number;
  };
  readonly shutdown: {
    readonly drain: number;
    readonly crashDrain: number;
    readonly deadline: number;
    /** What stragglers get after their signal. */
    readonly grace: number;
  };
  readonly events: {
    readonly enabled: boolean;
    /** Post failures of handlers and of the processing of an object. */
    readonly failures: boolean;
  };
  readonly persistence: {
    /** Where records are kept, unless a handler class says otherwise. */
    readonly store: RecordStoreName;
    /** Stores of the application's own, by name. */
    readonly stores: Readonly<Record<string, RecordStore>>;
    /** Take over what an operator written with Kopf left under these names. */
    readonly kopf: KopfNames | undefined;
  };
  /** What becomes of access that the account lacks. */
  readonly preflight: 'off' | 'warn' | 'fail';
  /** What the application's own code needs of the API. */
  readonly access: readonly DeclaredAccess[];
  readonly health: {
    /** A watch that was in sync may be out of it for that long before the operator is not ready any more. */
    readonly degradedAfter: number;
    /** Timers that are again and again later than this mean that the process is not alive. */
    readonly maxLag: number;
    /** Where health is served; `undefined`: nowhere. */
    readonly server: HealthServerConfig | undefined;
  };
  readonly leaderElection: LeaderElectionConfig;
  readonly crash: 'exit' | 'reject';
}

/** Whether and how replicas elect the one that works. */
export interface LeaderElectionConfig {
  /** `undefined`: where the operator runs in a cluster. */
  readonly enabled: boolean | undefined;
  /** `undefined`: that of the pod, or of the kubeconfig's context. */
  readonly namespace: string | undefined;
  /** `undefined`: the operator's name. */
  readonly name: string | undefined;
  /** `undefined`: the host's name with something that no other process has. */
  readonly identity: string | undefined;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly onLost: 'exit' | 'standby';
  readonly warmStandby: boolean;
}

/** Where and how health is served. */
export interface HealthServerConfig {
  /** 0: any that is free. */
  readonly port: number;
  /** An address of this machine; `undefined`: all of them. */
  readonly host: string | undefined;
  readonly paths: { readonly liveness: string; readonly readiness: string };
}

/** A watch that the operator needs: one resource, in one namespace or in all. */
export interface WatchScope {
  readonly resource: ResourceName;
  readonly namespace: string | undefined;
}
