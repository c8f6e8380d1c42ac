import type { ObjectKey, StoredObject } from '../kube-object.js';
import { objectKey } from '../kube-object.js';
import type { Logger } from '../ports/index.js';
import { resourceName } from '../resource.js';
import type { Resource } from '../resource.js';
import { ObjectIntake } from './object-intake.js';
import type { IntakeOptions } from './object-intake.js';
import type { StoreChange } from './store-change.js';
import { StoreScope } from './store-scope.js';
import { equalOutside } from './written-mask.js';

export interface ObjectStoreOptions {
  readonly resource: Resource;
  readonly config: IntakeOptions['config'];
  readonly logger: Logger;
  /** Gets each change, in order, while the store applies it. What it throws goes to whoever feeds the store. */
  readonly onChange: (change: StoreChange) => void;
  /**
   * Whether an object is in the selection of the watch. By default every one is.
   *
   * The server's selectors decide for what comes from list and watch; this is asked for answers to own writes only.
   */
  readonly selects?: (object: StoredObject) => boolean;
  /**
   * The same, where objects that leave the selection are to be told apart from deleted ones: what the watch shows no more is
   * `doubted` and stays until {@link ObjectStore.settle}, and what is out of the selection stays until it is known to be gone.
   */
  readonly doubts?: (object: StoredObject) => boolean;
}

export interface WriteThroughOptions {
  /** The state that the write was computed on, as the store holds it. Absent for a create. */
  readonly base?: StoredObject | undefined;
  /** What the write itself set, in the shape of a merge patch: scalars, arrays and null stand for whole paths. */
  readonly written: unknown;
}

/**
 * What became of an answer to an own write. `stored`; `removed`: it is out of the selection, or its last finalizer went;
 * `dropped`: not newer than what the store knows; `ignored`: not a whole object of this resource in a listed scope.
 */
export type WriteThroughOutcome = 'stored' | 'removed' | 'dropped' | 'ignored';

/**
 * What became of a list. `ask-again`: it shows less than was seen before its request was sent, nothing was applied: list
 * again with resourceVersion unset and `repeated`. `restored`: a repeated list shows less as well; it was applied as the truth.
 */
export type ListOutcome = 'replaced' | 'ask-again' | 'restored';

/** One list from before its request is sent until its last page is there. A session that is given up needs no call. */
export interface ListSession {
  /**
   * Applies all items of the list at its version.
   *
   * @throws MalformedObjectError when an item cannot be identified. Nothing was applied then.
   */
  finish(items: Iterable<StoredObject>, version: string): ListOutcome;
}

/**
 * The newest known state of every object of one resource, fed by one list and watch per scope (a namespace, or
 * `undefined` for all) and by answers to own writes. All calls are synchronous and emit their changes before they return.
 */
export class ObjectStore {
  readonly resource: Resource;
  private readonly scopes = new Map<string, StoreScope>();
  private readonly intake: ObjectIntake;
  private readonly name: string;

  constructor(private readonly options: ObjectStoreOptions) {
    this.resource = options.resource;
    this.name = resourceName(options.resource);
    this.intake = new ObjectIntake(options);
  }

  get size(): number {
    let size = 0;
    for (const scope of this.scopes.values()) size += scope.entries.size;
    return size;
  }

  get(key: ObjectKey): StoredObject | undefined {
    return this.scopeOfKey(key)?.entries.get(key)?.object;
  }

  *keys(): Generator<ObjectKey, void, undefined> {
    for (const scope of this.scopes.values()) yield* scope.entries.keys();
  }

  *values(): Generator<StoredObject, void, undefined> {
    for (const scope of this.scopes.values()) for (const entry of scope.entries.values()) yield entry.object;
  }

  /**
   * Applies an event of the watch that feeds `scope`.
   *
   * @throws MalformedObjectError when the object cannot be identified.
   */
  observe(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject, scope: string | undefined): void {
    const raw = this.intake.check(object, `a ${type} event`);
    const target = this.scope(scope);
    const { uid, resourceVersion } = raw.metadata;
    if (type === 'DELETED') target.observeRemoval(objectKey(raw), uid, resourceVersion, 'watch');
    else target.observeState(raw);
    target.advance(resourceVersion);
  }

  /** The watch of `scope` has come to this version without an event: a bookmark. */
  advance(version: string, scope: string | undefined): void {
    this.scope(scope).advance(version);
  }

  /** Enters the answer to an own write. */
  writeThrough(response: StoredObject, options: WriteThroughOptions): WriteThroughOutcome {
    if (!this.isWhole(response)) return 'ignored';
    const key = objectKey(response);
    const scope = this.scopeOfKey(key);
    if (scope === undefined || !scope.listed) return 'ignored';
    const { base } = options;
    const { uid, resourceVersion } = response.metadata;
    const selected = this.options.selects?.(response) ?? true;
    const ended = endsWithFinalizers(response, base);
    if (!selected || ended) {
      return scope.observeRemoval(key, uid, resourceVersion, 'write', ended) ? 'removed' : 'dropped';
    }
    const prepared = this.intake.prepare(response);
    if (prepared === undefined) return 'ignored';
    const foreign =
      base === undefined || this.leavesSelection(base, prepared) || !equalOutside(base, prepared, options.written);
    if (scope.write(prepared, base, foreign)) return 'stored';
    if (!foreign) scope.recognize(key, prepared, base);
    return 'dropped';
  }

  /**
   * What a read has told of an object in doubt: its state, whether it is in the selection or not, or that it is gone. False: the
   * read was overtaken, and another one is needed.
   */
  settle(key: ObjectKey, uid: string, found: StoredObject | undefined): boolean {
    return this.scopeOfKey(key)?.settle(key, uid, found) ?? true;
  }

  /** Enters an object that is not in the selection of the watch. */
  admit(object: StoredObject): void {
    this.scopeOfKey(objectKey(object))?.admit(this.intake.check(object, 'a read'));
  }

  /** The object of this uid is gone for good: a 404 confirmed by a read, or another uid found in its place. */
  remove(key: ObjectKey, uid: string): void {
    this.scopeOfKey(key)?.observeGone(key, uid);
  }

  /**
   * Begins a list of `scope`. Call it before the request is sent: what comes in from then on never counts against the list.
   *
   * `repeated`: the list is asked for because the one before was answered with `ask-again`.
   */
  beginList(scope: string | undefined, options: { readonly repeated?: boolean } = {}): ListSession {
    const target = this.scope(scope);
    const mark = target.mark();
    return {
      finish: (items, version) => {
        const regress = target.isRegress(mark, version);
        if (regress && options.repeated !== true) return 'ask-again';
        const listed = new Map<ObjectKey, StoredObject>();
        for (const item of items) {
          const raw = this.intake.check(item, 'a list');
          listed.set(objectKey(raw), raw);
        }
        if (!regress) {
          target.replace(listed, version, mark);
          return 'replaced';
        }
        this.options.logger.log('warn', 'The server shows an older history: the store was replaced', {
          resource: this.name,
          namespace: scope,
          seen: mark.highest,
          listed: version,
        });
        target.restore(listed, version, mark);
        return 'restored';
      },
    };
  }

  /** The scope is watched no more: all its objects are removed, and what is known of it is forgotten. */
  dropScope(scope: string | undefined): void {
    this.scopes.get(scope ?? '')?.drop();
  }

  /** The scope is watched no more, and may never be again: as {@link ObjectStore.dropScope}, and it is new when it comes back. */
  forgetScope(scope: string | undefined): void {
    this.dropScope(scope);
    this.scopes.delete(scope ?? '');
  }

  /** An own write that takes an object out of the selection is news: what is left on the object has to be tidied away. */
  private leavesSelection(base: StoredObject, answer: StoredObject): boolean {
    const { doubts } = this.options;
    return doubts !== undefined && doubts(base) && !doubts(answer);
  }

  private scope(namespace: string | undefined): StoreScope {
    const name = namespace ?? '';
    let scope = this.scopes.get(name);
    if (scope === undefined) {
      scope = new StoreScope(this.options.onChange, (raw) => this.intake.prepare(raw), this.options.doubts);
      this.scopes.set(name, scope);
    }
    return scope;
  }

  private scopeOfKey(key: ObjectKey): StoreScope | undefined {
    const slash = key.indexOf('/');
    const own = slash === -1 ? undefined : this.scopes.get(key.slice(0, slash));
    return own ?? this.scopes.get('');
  }

  private isWhole(response: StoredObject): boolean {
    if (response.kind !== this.resource.kind) return false;
    const { metadata } = response;
    return (
      typeof metadata?.name === 'string' &&
      typeof metadata.uid === 'string' &&
      typeof metadata.resourceVersion === 'string'
    );
  }
}

/** The server does not store an object whose last finalizer goes under a deletion mark: it answers with the version from before. */
function endsWithFinalizers(response: StoredObject, base: StoredObject | undefined): boolean {
  const { metadata } = response;
  return (
    base !== undefined &&
    metadata.deletionTimestamp !== undefined &&
    !metadata.finalizers?.length &&
    (base.metadata.finalizers?.length ?? 0) > 0 &&
    base.metadata.uid === metadata.uid &&
    base.metadata.resourceVersion === metadata.resourceVersion
  );
}
