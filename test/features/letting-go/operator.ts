import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnUpdate,
  ResourceHandlers,
  Timer,
  type StoredObject,
} from 'nestjs-operator';
import { Widget } from '../../support/kinds.js';

/** Serves the secrets that are labelled so, and no others. */
@ResourceHandlers('secrets')
export class SecretHandlers {
  readonly calls: string[] = [];
  readonly ticks = new Map<string, number>();

  @OnCreate({ labels: { mine: 'yes' } })
  @OnUpdate({ labels: { mine: 'yes' } })
  ensure({ cause, meta }: HandlerContext<StoredObject>): void {
    this.calls.push(`${cause} ${meta.name}`);
  }

  @OnDelete({ labels: { mine: 'yes' } })
  remove({ cause, meta }: HandlerContext<StoredObject>): void {
    this.calls.push(`${cause} ${meta.name}`);
  }

  @Timer({ interval: '1s', labels: { mine: 'yes' } })
  tick({ meta }: HandlerContext<StoredObject>): void {
    this.ticks.set(meta.name, (this.ticks.get(meta.name) ?? 0) + 1);
  }
}

/** Chosen by a label; acts when its condition holds. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate({ labels: { mine: 'yes' } })
  @OnUpdate({ labels: { mine: 'yes' }, when: ({ meta }) => meta.annotations?.['hold'] === undefined })
  ensure({ cause, old, spec }: HandlerContext<Widget>): void {
    const before = (old as { spec?: { size?: unknown } } | undefined)?.spec?.size;
    this.calls.push(`${cause} ${String(before)} ${String(spec['size'])}`);
  }

  @OnCreate({ labels: { mine: 'later' }, backoff: '1h' })
  fail(): void {
    this.calls.push('fails');
    throw new Error('Not yet.');
  }
}
