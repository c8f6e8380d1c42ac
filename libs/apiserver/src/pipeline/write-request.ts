import type { Identity } from '../access/identity.js';
import type { Clock } from '../clock.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { DeleteOptions, WriteOptions } from './write-options.js';

interface Target {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  /** Empty where the name is still to be generated. */
  readonly name: string;
  readonly subresource: string | undefined;
  readonly identity: Identity;
  readonly userAgent: string;
  /** When the request must be done, on the server's monotonic clock. */
  readonly deadline: number;
  /** Collects what the answer warns of, whether the write succeeds or not. Repetitions do no harm. */
  readonly warnings: string[];
}

/** A create, update or patch. */
export interface WriteRequest extends Target {
  readonly options: WriteOptions;
}

/** A delete of one object. */
export interface DeleteRequest extends Target {
  /** Whether a collection is deleted: webhooks are not told the name then. */
  readonly ofCollection?: boolean;
  readonly options: DeleteOptions;
}

const mostTries = 1000;
/** How long a write may take, as in the real server. */
const longestWrite = 34_000;

/** When a write that begins now must be done. */
export const writeDeadline = (clock: Clock): number => clock.monotonic() + longestWrite;

/** Counts how often a write begins anew because its object changed while the write waited. */
export class Tries {
  #count = 0;

  constructor(
    private readonly clock: Clock,
    private readonly deadline: number,
  ) {}

  /** Allows another try, or throws 504. */
  again(): void {
    if (++this.#count < mostTries && this.clock.monotonic() < this.deadline) return;
    throw errors.requestTimeout();
  }
}
