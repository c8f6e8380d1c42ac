import type { Authorizer } from '../access/authorizer.js';
import type { Identity } from '../access/identity.js';
import type { Activity } from '../activity.js';
import type { Clock } from '../clock.js';
import type { RandomSource } from '../random.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { Store } from '../store/store.js';
import type { AdmissionControl } from './admission-control.js';
import type { FieldManagement } from './field-management.js';
import type { Representations } from './representations.js';

/** Sizes beyond which the server refuses, in bytes. */
export interface ServerLimits {
  /** Request body. @defaultValue 3 MiB */
  body: number;
  /** Stored object. @defaultValue 1.5 MiB */
  object: number;
  /** All annotations of an object together. @defaultValue 256 KiB */
  annotations: number;
  /** Bytes of a watch that its reader has not taken; beyond it the watch is ended. @defaultValue 8 MiB */
  watchBuffer: number;
}

export const defaultLimits: ServerLimits = {
  body: 3 * 1024 * 1024,
  object: 1.5 * 1024 * 1024,
  annotations: 256 * 1024,
  watchBuffer: 8 * 1024 * 1024,
};

/** The parts that handling a request needs. */
export interface ServerContext {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly representations: Representations;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly limits: ServerLimits;
  /** How much is being processed. */
  readonly activity: Activity;
  readonly authorizer: Authorizer;
  /** The owner of a token. */
  readonly identityOfToken: (token: string) => Identity | undefined;
  readonly admission: AdmissionControl;
  readonly fieldManagement: FieldManagement;
  /** Takes errors that are bugs of the server. */
  readonly onInternalError: (error: unknown) => void;
  /** Aborted when the server closes; ends requests that wait. */
  readonly closing: AbortSignal;
}
