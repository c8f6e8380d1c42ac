import type { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import { digestFor } from '../operator/digest.js';
import { finalizer } from '../operator/names.js';
import { needsFinalizer, type Scenario } from '../operator/scenario.js';
import type { Invariant } from './violation.js';

/** `final`: failed for good. `interrupted`: ended with an error after its abort. `lost`: its process crashed. */
export type CallEnd = 'success' | 'failed' | 'final' | 'interrupted' | 'lost';

/** One call of a handler, as the handler itself sees it. */
export interface Call {
  readonly handler: string;
  readonly uid: string;
  readonly key: string;
  readonly cause: string;
  /** Number of the process that made it. */
  readonly life: number;
  readonly digest: string;
  /** The same for everything that matters to a creation. */
  readonly whole: string;
  readonly retry: number;
  readonly began: number;
  /** Place of its end in the order of all that happened. */
  ended: number | undefined;
  end: CallEnd | undefined;
  /** Its outcome was acknowledged by the server. */
  acknowledged: boolean;
  /** When it was told to end. */
  aborted: number | undefined;
}

export interface LedgerOptions {
  readonly scenario: Scenario;
  readonly now: () => number;
  readonly violate: (invariant: Invariant, found: string) => void;
  readonly trace: (text: string) => void;
}

/** A millisecond less than the engine's limit, since times have fractions here. */
const stuckAfterAbort = 30_000 - 1;

const changes = new Set(['create', 'update']);

/** Knows every call of every process, and holds each one against what was promised. */
export class CallLedger {
  /** The last call of a handler for an object, by `handler uid`. */
  readonly #last = new Map<string, Call>();
  readonly #created = new Map<string, Call>();
  readonly #resumed = new Set<string>();
  readonly #running = new Set<Call>();
  readonly #ofObject = new Map<string, Call[]>();
  /** The newest version that a process was told of by an answer to its own write, by `life uid`. */
  readonly #written = new Map<string, number>();
  readonly #told = new Map<string, { type: string; digest: string }>();
  /** The place in the order at which the write of an object was put together at the latest, by `life key`. */
  readonly #together = new Map<string, number>();
  /** Objects, by `life uid`, whose cycle goes on without the slot that a stuck handler has lost. */
  readonly #slotless = new Set<string>();
  readonly #sights = new Map<string, number>();
  #sequence = 0;
  /** Calls, and how many of them repeated a success within the documented window. */
  calls = 0;
  repeats = 0;

  constructor(private readonly options: LedgerOptions) {}

  /** A place in the order of all that happens. */
  tick(): number {
    return (this.#sequence += 1);
  }

  get running(): number {
    return this.#running.size;
  }

  last(handler: string, uid: string): Call | undefined {
    return this.#last.get(`${handler} ${uid}`);
  }

  /** What the event handler of a process was told of an object last. */
  told(life: number, uid: string): { readonly type: string; readonly digest: string } | undefined {
    return this.#told.get(`${life} ${uid}`);
  }

  /** Objects that the event handler of a process was told of. */
  toldOf(life: number): string[] {
    return [...this.#told.keys()]
      .filter((key) => key.startsWith(`${life} `))
      .map((key) => key.slice(key.indexOf(' ') + 1));
  }

  runningOf(handler: string, uid: string, life: number): number {
    let count = 0;
    for (const call of this.#running) {
      if (call.handler === handler && call.uid === uid && call.life === life) count += 1;
    }
    return count;
  }

  begin(life: number, handler: string, ctx: HandlerContext): Call {
    const { object, meta, cause, key, retry } = ctx;
    const { uid } = meta;
    const call: Call = {
      handler,
      uid,
      key,
      cause,
      life,
      digest: digestFor(handler.split('/')[0] as string, object as Parameters<typeof digestFor>[1]),
      whole: digestFor('level', object as Parameters<typeof digestFor>[1]),
      retry,
      began: this.options.now(),
      ended: undefined,
      end: undefined,
      acknowledged: false,
      aborted: undefined,
    };
    ctx.signal.addEventListener('abort', () => (call.aborted ??= this.options.now()), { once: true });
    this.calls += 1;
    this.options.trace(`call ${handler} ${cause} ${key} ${meta.resourceVersion} retry ${retry}`);
    this.#checkCompany(call);
    if (cause === 'event') this.#checkEvent(call, ctx.eventType ?? 'none');
    else if (cause !== 'daemon') this.#checkState(call, ctx);
    this.#running.add(call);
    if (cause !== 'event') {
      this.#last.set(`${handler} ${uid}`, call);
      const calls = this.#ofObject.get(uid);
      if (calls === undefined) this.#ofObject.set(uid, [call]);
      else calls.push(call);
    }
    return call;
  }

  end(call: Call, end: CallEnd): void {
    if (call.end !== undefined) return;
    call.end = end;
    call.ended = this.tick();
    this.#running.delete(call);
    if (this.#isStuck(call)) this.#slotless.add(`${call.life} ${call.uid}`);
    this.options.trace(`end ${call.handler} ${call.key} ${end}`);
    const id = `${call.handler} ${call.uid}`;
    if (end !== 'success') return;
    if (call.cause === 'create') this.#created.set(id, call);
    if (call.cause === 'resume') this.#resumed.add(`${call.life} ${id}`);
  }

  /** All calls of a process that is gone. */
  lose(life: number): void {
    for (const call of this.#running) if (call.life === life) this.end(call, 'lost');
  }

  /**
   * A request writes to an object. Its content was put together no later than for the first request since the last record
   * was acknowledged or the last cycle began: status first, then the record, and either of them again after a failure.
   */
  writes(life: number, key: string): number {
    const id = `${life} ${key}`;
    const together = this.#together.get(id) ?? this.tick();
    this.#together.set(id, together);
    return together;
  }

  /** What is written to an object from now on is put together anew. */
  startsAnew(life: number, key: string): void {
    this.#together.delete(`${life} ${key}`);
  }

  /** The server has acknowledged the record of an object; `together` is the place in the order where it was put together. */
  acknowledge(life: number, uid: string, key: string, together: number): void {
    this.startsAnew(life, key);
    for (const call of this.#ofObject.get(uid) ?? []) {
      if (call.life === life && call.ended !== undefined && call.ended < together) call.acknowledged = true;
    }
  }

  /**
   * A handler gave up, the time that its outcome waited for a write included: that is more than it knows itself.
   */
  gaveUp(life: number, handler: string, uid: string): void {
    const call = this.last(handler, uid);
    if (call?.life === life && call.end === 'failed') call.end = 'final';
  }

  /** The server has a record of an object in this state. */
  recorded(uid: string, rev: number): void {
    if (!this.#sights.has(uid)) this.#sights.set(uid, rev);
  }

  /** The state of an object in its first record, unless that was removed since. */
  sight(uid: string): number | undefined {
    return this.#sights.get(uid);
  }

  /** The record of an object was removed: what it held is known to the process only. */
  forget(uid: string): void {
    this.#sights.delete(uid);
    for (const call of this.#ofObject.get(uid) ?? []) call.acknowledged = false;
  }

  wrote(life: number, uid: string, version: number): void {
    const id = `${life} ${uid}`;
    this.#written.set(id, Math.max(version, this.#written.get(id) ?? 0));
  }

  #isStuck({ aborted }: Call): boolean {
    return aborted !== undefined && this.options.now() - aborted >= stuckAfterAbort;
  }

  #checkCompany(call: Call): void {
    const { scenario, violate } = this.options;
    let others = 0;
    for (const other of this.#running) {
      if (other.life !== call.life) {
        if (other.uid === call.uid)
          violate('no two handlers at once', `${name(call)} runs beside ${name(other)} of an earlier process`);
        continue;
      }
      if (other.cause === 'daemon') {
        if (call.cause === 'daemon' && other.uid === call.uid) {
          violate('no two handlers at once', `two daemons run for ${call.key}`);
        }
        continue;
      }
      // One that does not end after its abort has lost its slot.
      if (!this.#isStuck(other) && !this.#slotless.has(`${other.life} ${other.uid}`)) others += 1;
      if (call.cause !== 'daemon' && other.uid === call.uid) {
        violate('no two handlers at once', `${name(call)} runs beside ${name(other)}`);
      }
    }
    const takesSlot = call.cause !== 'daemon' && !this.#slotless.has(`${call.life} ${call.uid}`);
    if (takesSlot && others >= scenario.concurrency.total) {
      violate('bounded concurrency', `${others + 1} handlers run, of ${scenario.concurrency.total}`);
    }
  }

  #checkEvent(call: Call, type: string): void {
    const { violate } = this.options;
    const id = `${call.life} ${call.uid}`;
    const before = this.#told.get(id);
    if (before?.type === 'DELETED') violate('deletions seen', `${type} of ${call.key} after its deletion`);
    if (before === undefined && type === 'MODIFIED')
      violate('deletions seen', `${type} of ${call.key} before it was added`);
    if (before !== undefined && type === 'ADDED') violate('deletions seen', `${call.key} was added twice`);
    this.#told.set(id, { type, digest: call.digest });
  }

  #checkState(call: Call, { meta, deleting }: HandlerContext): void {
    const { scenario, violate } = this.options;
    const written = this.#written.get(`${call.life} ${call.uid}`) ?? 0;
    // Parts see what their handler saw when it planned them.
    if (!call.handler.includes('/') && Number(meta.resourceVersion) < written) {
      violate(
        'fresh after own writes',
        `${name(call)} sees version ${meta.resourceVersion}, after ${written} was written`,
      );
    }
    if (!deleting && needsFinalizer(scenario) && meta.finalizers?.includes(finalizer) !== true) {
      violate('finalizer before handlers', `${name(call)} runs on an object without it`);
    }
    if (changes.has(call.cause) || call.cause === 'delete') this.#checkRepetition(call);
    if (call.cause === 'resume' && this.#resumed.has(`${call.life} ${call.handler} ${call.uid}`)) {
      violate('no success repeated', `${name(call)}, which was resumed before`);
    }
  }

  #checkRepetition(call: Call): void {
    const { violate } = this.options;
    const id = `${call.handler} ${call.uid}`;
    const created = this.#created.get(id);
    if (call.cause === 'create' && !isPlanner(call) && created !== undefined && isBeyondWindow(created, call)) {
      violate('creation once', `${name(call)} again`);
    }
    const last = this.#last.get(id);
    if (last === undefined || (last.cause === 'delete') !== (call.cause === 'delete')) return;
    if (last.digest !== call.digest && call.cause !== 'delete') return;
    if ((last.end === 'success' || last.end === 'final') && call.handler !== 'parts') {
      if (isBeyondWindow(last, call)) violate('no success repeated', `${name(call)}, which had ended: ${last.end}`);
      else this.repeats += 1;
    }
    if (last.life !== call.life || last.cause !== call.cause || call.handler.includes('/')) return;
    if (call.cause === 'create' && last.whole !== call.whole) return;
    const expected = last.end === 'failed' ? last.retry + 1 : last.end === 'interrupted' ? last.retry : undefined;
    if (expected !== undefined && call.retry !== expected) {
      violate('retries counted', `${name(call)} is told of ${call.retry} failed attempts, not ${expected}`);
    }
  }
}

/** After a crash or a stop, what was not acknowledged may run again; nothing else does. */
function isBeyondWindow(before: Call, call: Call): boolean {
  return before.life === call.life || before.acknowledged;
}

/** A handler with parts is called in each round, and a part again when its object changed between two rounds. */
function isPlanner({ handler }: Call): boolean {
  return handler.startsWith('parts');
}

function name({ handler, cause, key }: Call): string {
  return `${handler} (${cause}) of ${key}`;
}
