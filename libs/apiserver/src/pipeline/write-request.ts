import type { Identity } from '../access/identity.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { ServerContext } from './server-context.js';
import type { DeleteOptions, WriteOptions } from './write-options.js';

interface Target {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  /** Empty where the name is still to be generated. */
  readonly name: string;
  readonly subresource: string | undefined;
  readonly identity: Identity;
  readonly userAgent: string;
  /** Collects what the answer warns of, whether the write succeeds or not. Repetitions do no harm. */
  readonly warnings: string[];
}

/** A create, update or patch. */
export interface WriteRequest extends Target {
  readonly options: WriteOptions;
}

/** A delete of one object. */
export interface DeleteRequest extends Target {
  readonly options: DeleteOptions;
}

const mostTries = 1000;
const longestWrite = 34_000;

/** Counts how often a write begins anew because its object changed while the write waited. */
export class Tries {
  #count = 0;
  readonly #end: number;

  constructor(private readonly context: ServerContext) {
    this.#end = context.clock.monotonic() + longestWrite;
  }

  /** Allows another try, or throws 504. */
  again(): void {
    if (++this.#count < mostTries && this.context.clock.monotonic() < this.#end) return;
    throw errors.requestTimeout();
  }
}
