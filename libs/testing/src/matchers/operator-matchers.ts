import { inspect } from 'node:util';
import { conditionOf, type Condition } from 'nestjs-operator';
import { eventsOf } from './event-list.js';

/** What a matcher answers, in the form that Vitest and Jest share. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What is asked of a condition. */
export type ConditionExpectation = Partial<Pick<Condition, 'reason' | 'message' | 'observedGeneration'>> & {
  readonly status?: Condition['status'] | boolean;
};

/** What is asked of a Kubernetes event. A text is its reason. */
export interface EventExpectation {
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string;
  readonly message?: string | RegExp;
}

/** The least that tells an owner. */
export interface OwnerLike {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name?: string; readonly uid?: string };
}

/** What the matchers add to `expect()`. */
export interface OperatorMatchers<R = void> {
  /** A condition of this type is in `status.conditions`, with this status (`true` is `'True'`, the default) or these fields. */
  toHaveCondition(type: string, expected?: ConditionExpectation | Condition['status'] | boolean): R;
  /** `metadata.finalizers` holds it; without an argument: holds any. */
  toHaveFinalizer(finalizer?: string): R;
  /** `metadata.ownerReferences` holds this object, by uid; `controller` asks that it be the controller, or not. */
  toBeOwnedBy(owner: OwnerLike, options?: { readonly controller?: boolean }): R;
  /** It carries a deletion mark. */
  toBeTerminating(): R;
  /** An event like this is in a list of events, in a `handlerCall`, or among captured ones. A text is the reason. */
  toHaveEvent(expected: EventExpectation | string): R;
}

interface Metadata {
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly { readonly uid?: string; readonly controller?: boolean }[];
  readonly deletionTimestamp?: string;
}

function metadataOf(received: unknown): Metadata {
  const metadata = (received as { readonly metadata?: unknown } | null | undefined)?.metadata;
  if (typeof metadata !== 'object' || metadata === null) {
    throw new TypeError(`An object with metadata is expected, not ${inspect(received, { depth: 1 })}.`);
  }
  return metadata;
}

function result(pass: boolean, expected: string, found: unknown): MatcherResult {
  return {
    pass,
    message: () => `expected the object ${pass ? 'not ' : ''}${expected}; found: ${inspect(found, { depth: 4 })}`,
  };
}

/** For `expect.extend()` of Vitest and of Jest; `/vitest` and `/jest` bring the types. */
export const operatorMatchers = {
  toHaveCondition(
    received: unknown,
    type: string,
    expected: ConditionExpectation | Condition['status'] | boolean = true,
  ): MatcherResult {
    metadataOf(received);
    const { status, ...rest } = typeof expected === 'object' ? expected : { status: expected };
    const wanted: Record<string, unknown> = {
      ...(status === undefined ? {} : { status: typeof status === 'boolean' ? (status ? 'True' : 'False') : status }),
      ...rest,
    };
    const found = conditionOf(received as { readonly status?: unknown }, type);
    const pass =
      found !== undefined &&
      Object.entries(wanted).every(([field, value]) => (found as unknown as Record<string, unknown>)[field] === value);
    const conditions = (received as { readonly status?: { readonly conditions?: unknown } }).status?.conditions;
    return result(pass, `to have the condition ${type} with ${inspect(wanted)}`, found ?? conditions);
  },

  toHaveFinalizer(received: unknown, finalizer?: string): MatcherResult {
    const { finalizers = [] } = metadataOf(received);
    const pass = finalizer === undefined ? finalizers.length > 0 : finalizers.includes(finalizer);
    return result(
      pass,
      finalizer === undefined ? 'to have a finalizer' : `to have the finalizer ${finalizer}`,
      finalizers,
    );
  },

  toBeOwnedBy(received: unknown, owner: OwnerLike, options: { readonly controller?: boolean } = {}): MatcherResult {
    const { ownerReferences = [] } = metadataOf(received);
    const { name, uid } = owner.metadata;
    if (uid === undefined)
      throw new TypeError('The owner has no uid: it must come from a server, or from buildObject().');
    const found = ownerReferences.find((reference) => reference.uid === uid);
    const pass =
      found !== undefined && (options.controller === undefined || (found.controller === true) === options.controller);
    return result(pass, `to be owned by ${owner.kind ?? 'object'} ${name ?? ''} (uid ${uid})`, ownerReferences);
  },

  toBeTerminating(received: unknown): MatcherResult {
    const { deletionTimestamp } = metadataOf(received);
    return result(deletionTimestamp !== undefined, 'to carry a deletion mark', { deletionTimestamp });
  },

  toHaveEvent(received: unknown, expected: EventExpectation | string): MatcherResult {
    const wanted = typeof expected === 'string' ? { reason: expected } : expected;
    const events = eventsOf(received);
    const pass = events.some(
      ({ type, reason, message }) =>
        (wanted.type === undefined || wanted.type === type) &&
        (wanted.reason === undefined || wanted.reason === reason) &&
        (wanted.message === undefined ||
          (typeof wanted.message === 'string' ? wanted.message === message : wanted.message.test(message))),
    );
    return {
      pass,
      message: () =>
        `expected ${pass ? 'no' : 'an'} event like ${inspect(wanted)}; found: ${inspect(events, { depth: 2 })}`,
    };
  },
};
