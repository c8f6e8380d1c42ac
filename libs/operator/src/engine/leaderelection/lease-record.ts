import { canonicalJson } from '../json/canonical-json.js';

/** The `spec` of a Lease as the server gives it. Fields of other writers are kept as they are. */
export interface LeaseSpec {
  readonly holderIdentity?: string | null;
  readonly leaseDurationSeconds?: number | null;
  readonly acquireTime?: string | null;
  readonly renewTime?: string | null;
  readonly leaseTransitions?: number | null;
  readonly [field: string]: unknown;
}

/** A Lease, as much of it as an elector needs. */
export interface LeaseObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly spec?: LeaseSpec | null;
}

/** Who holds a Lease; `undefined` when nobody does. */
export function holderOf(spec: LeaseSpec): string | undefined {
  return spec.holderIdentity == null || spec.holderIdentity === '' ? undefined : spec.holderIdentity;
}

/** For how long the record counts after it was written, in milliseconds, as its writer says. */
export function durationOf(spec: LeaseSpec): number | undefined {
  const seconds = spec.leaseDurationSeconds;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : undefined;
}

/** Equal for records that say the same. A holder that renews changes it each time. */
export function fingerprintOf(spec: LeaseSpec): string {
  return canonicalJson(spec);
}
