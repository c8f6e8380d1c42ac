import { parseDuration } from '../../duration.js';
import type { HandlerContext } from './handler-context.js';
import type { HandlerPolicy } from './handler-definition.js';
import type { SubHandlerOptions, SubHandlers } from './sub-handlers.js';

type SubHandler = (ctx: HandlerContext) => unknown;

/** One part as planned in this round. */
export interface PlannedPart {
  readonly name: string;
  readonly call: SubHandler;
  readonly policy: HandlerPolicy;
}

/** What one call of a handler plans. */
export class SubHandlerPlan implements SubHandlers<HandlerContext> {
  readonly #parts = new Map<string, PlannedPart>();

  get parts(): readonly PlannedPart[] {
    return [...this.#parts.values()];
  }

  add(name: string, call: SubHandler, options: SubHandlerOptions = {}): void {
    if (!/^[^\s\p{C}/]{1,63}$/u.test(name)) {
      throw new RangeError(
        `${JSON.stringify(name)} is no name of a sub-handler: 1 to 63 characters, no blanks, no "/".`,
      );
    }
    if (this.#parts.has(name))
      throw new RangeError(`There is a sub-handler "${name}" already; give each its own name.`);
    this.#parts.set(name, { name, call, policy: policyOf(options) });
  }

  addAll(
    parts: Iterable<readonly [string, SubHandler]> | Readonly<Record<string, SubHandler>>,
    options?: SubHandlerOptions,
  ): void {
    const pairs = Symbol.iterator in parts ? parts : Object.entries(parts);
    for (const [name, call] of pairs) this.add(name, call, options);
  }
}

/** For calls that keep no progress. */
export const noSubHandlers: SubHandlers<HandlerContext> = {
  add: refuse,
  addAll: refuse,
};

function refuse(): never {
  throw new TypeError(
    'Only handlers of creation, change, deletion and resumption can have sub-handlers: others keep no progress.',
  );
}

function policyOf({ retries, timeout, giveUpAfter, backoff, errors = 'temporary' }: SubHandlerOptions): HandlerPolicy {
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 1)) {
    throw new RangeError('Option "retries" of a sub-handler counts attempts: a whole number from 1 on.');
  }
  return {
    ...(retries === undefined ? {} : { retries }),
    ...(timeout === undefined ? {} : { timeout: parseDuration(timeout) }),
    ...(giveUpAfter === undefined ? {} : { giveUpAfter: parseDuration(giveUpAfter) }),
    ...(backoff === undefined ? {} : { backoff: backoffOf(backoff) }),
    errors,
    abortOnChange: false,
    result: 'merge',
  };
}

function backoffOf(backoff: NonNullable<SubHandlerOptions['backoff']>): NonNullable<HandlerPolicy['backoff']> {
  if (typeof backoff === 'function') return (failures) => parseDuration(backoff(failures));
  const fixed = parseDuration(backoff);
  return () => fixed;
}
