import { HandlerContext, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Sees what the watch sees. Nothing is recorded on the object, and a call that fails is not repeated. */
@ResourceHandlers(Widget)
export class WidgetWatcher {
  readonly seen: string[] = [];

  @OnWatchEvent()
  fail(): void {
    throw new Error('no matter');
  }

  @OnWatchEvent()
  note({ eventType, meta, spec }: HandlerContext<Widget>): void {
    this.seen.push(`${eventType} ${meta.name} ${String(spec.size)}`);
  }
}
