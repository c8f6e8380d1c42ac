import type { FieldPath } from '../json/field-path.js';
import { guardedFilter } from './guarded-filter.js';
import type { HandlerCause } from './handler-context.js';
import type { HandlerDefinition, Trigger, TriggerKind } from './handler-definition.js';

type TriggerOf<K extends TriggerKind> = Extract<Trigger, { readonly on: K }>;

export type TimerTrigger = TriggerOf<'timer'>;
export type DaemonTrigger = TriggerOf<'daemon'>;
export type IndexTrigger = TriggerOf<'index'>;

/** A handler with what the engine asks of it again and again worked out once. */
export class ResourceHandler {
  readonly id: string;
  /** Calls for creation come from these. */
  readonly creating: ReadonlyArray<TriggerOf<'create'> | TriggerOf<'field'>>;
  readonly updating: ReadonlyArray<TriggerOf<'update'> | TriggerOf<'field'>>;
  readonly deleting: ReadonlyArray<TriggerOf<'delete'>>;
  readonly resuming: ReadonlyArray<TriggerOf<'resume'>>;
  readonly events: ReadonlyArray<TriggerOf<'event'>>;
  readonly reconciling: ReadonlyArray<TriggerOf<'reconcile'>>;
  readonly timing: TimerTrigger | undefined;
  readonly background: DaemonTrigger | undefined;
  readonly indexing: IndexTrigger | undefined;
  /** It may be what keeps a finalizer on an object. */
  readonly mayNeedFinalizer: boolean;
  /** Has triggers that are called for a cause: creation, change, deletion, resumption. */
  readonly hasCauses: boolean;
  /** Compared with a last handled state, so that progress is kept for it. */
  readonly tracksState: boolean;
  /** All parts of the essence whose change matters to it; the empty path is the whole. */
  readonly watched: readonly FieldPath[];
  readonly #watchedOnUpdate: readonly FieldPath[];

  constructor(readonly definition: HandlerDefinition) {
    const triggers = definition.triggers.map((trigger) => ({
      ...trigger,
      filter: guardedFilter(trigger.filter, definition.origin),
    }));
    const of = <K extends TriggerKind>(...kinds: K[]): Array<TriggerOf<K>> =>
      triggers.filter((trigger): trigger is TriggerOf<K> => (kinds as TriggerKind[]).includes(trigger.on));
    this.id = definition.id;
    this.creating = of('create', 'field');
    this.updating = of('update', 'field');
    this.deleting = of('delete');
    this.resuming = of('resume');
    this.events = of('event');
    this.reconciling = of('reconcile');
    this.timing = of('timer')[0];
    this.background = of('daemon')[0];
    this.indexing = of('index')[0];
    this.mayNeedFinalizer =
      this.deleting.length > 0 ||
      this.reconciling.length > 0 ||
      this.timing?.finalizer === true ||
      this.background?.finalizer === true;
    const changing = of('create', 'update', 'field');
    this.tracksState = changing.length > 0;
    this.hasCauses = this.tracksState || this.deleting.length > 0 || this.resuming.length > 0;
    // A creation that is being retried starts over when anything changes: its input may have been mended.
    const whole = changing.some((trigger) => trigger.on === 'create' || trigger.filter.field === undefined);
    const fields = changing.flatMap(({ filter }) => (filter.field === undefined ? [] : [filter.field]));
    this.watched = whole || fields.length === 0 ? [[], ...fields] : fields;
    this.#watchedOnUpdate = this.updating.map(({ filter }) => filter.field ?? []);
  }

  /** The parts whose change makes a call for this cause another one. */
  watchedBy(cause: HandlerCause): readonly FieldPath[] {
    return cause === 'update' ? this.#watchedOnUpdate : this.watched;
  }
}
