import {
  HandlerContext,
  OnCreate,
  OnField,
  OnUpdate,
  ResourceHandlers,
  TemporaryError,
  type RecordOwner,
  type RecordStore,
} from 'nestjs-operator';
import { StrictWidget, Widget } from '../../support/kinds.js';

/** Keeps records in a table, as one would in a database. */
export class TableOfRecords implements RecordStore {
  readonly rows = new Map<string, { readonly owner: RecordOwner; readonly record: string }>();
  /** No call succeeds meanwhile. */
  isAway = false;

  load(owner: RecordOwner): Promise<string | undefined> {
    return this.#query(() => this.rows.get(owner.uid)?.record);
  }

  save(owner: RecordOwner, record: string): Promise<void> {
    return this.#query(() => void this.rows.set(owner.uid, { owner, record }));
  }

  remove(owner: RecordOwner): Promise<void> {
    return this.#query(() => void this.rows.delete(owner.uid));
  }

  async *list({ operator, plural }: Pick<RecordOwner, 'operator' | 'plural'>): AsyncIterable<RecordOwner> {
    for (const { owner } of await this.#query(() => [...this.rows.values()])) {
      if (owner.operator === operator && owner.plural === plural) yield owner;
    }
  }

  async #query<T>(answer: () => T): Promise<T> {
    await Promise.resolve();
    if (this.isAway) throw new Error('The database is away.');
    return answer();
  }
}

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure({ cause, spec, old }: HandlerContext<Widget>): object {
    const before = (old as { spec?: { size?: unknown } } | undefined)?.spec?.size;
    this.calls.push(`${cause} ${String(before)} ${String(spec['size'])}`);
    return { size: spec['size'] };
  }
}

/** Its records are in the status, whatever the module's option says. */
@ResourceHandlers(Widget, { store: 'status' })
export class HandlersWithStatus {
  readonly calls: string[] = [];

  @OnField({ field: 'status' })
  follow({ cause, new: now }: HandlerContext<Widget>): void {
    this.calls.push(`${cause} ${JSON.stringify(now)}`);
  }
}

/** Of a resource whose schema knows no field for records. */
@ResourceHandlers(StrictWidget)
export class StrictHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  first(): object {
    this.calls.push('first');
    return { seen: 1 };
  }

  @OnCreate()
  second({ retry }: HandlerContext<StrictWidget>): object {
    this.calls.push(`second ${retry}`);
    if (retry < 2) throw new TemporaryError('Not yet.', { delay: '3s' });
    return { message: 'done' };
  }
}
