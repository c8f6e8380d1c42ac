import { defineMemo, HandlerContext, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** What is remembered of each widget, in memory. */
const SIZES = defineMemo(() => new Array<number | undefined>());

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly lines: string[] = [];

  @OnCreate()
  @OnUpdate({ field: 'spec.size' })
  remember({ spec, memo }: HandlerContext<Widget>): void {
    memo.of(SIZES).push(spec.size);
  }

  /** Handlers of an object share its memo. */
  @OnUpdate({ field: 'spec.color' })
  recall({ meta, memo }: HandlerContext<Widget>): void {
    this.lines.push(`${meta.name}: ${memo.of(SIZES).join(' ')}`);
  }
}
