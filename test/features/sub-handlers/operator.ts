import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** One part for each item of a widget. Each part has progress of its own, and is not repeated when another one fails. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate({ field: 'spec.items' })
  handle(ctx: HandlerContext<Widget>): void {
    for (const item of ctx.spec.items ?? []) {
      ctx.parts.add(item, (part) => this.handleItem(part, item));
    }
  }

  private handleItem(part: HandlerContext<Widget>, item: string): { readonly [item: string]: string } {
    this.calls.push(`${part.cause} ${item} ${part.retry}`);
    if (item.startsWith('late') && part.retry === 0) throw new TemporaryError('not yet', { delay: '2s' });
    return { [item]: 'done' };
  }
}

/** Parts in parts, to any depth: a grid of rows and columns. */
@ResourceHandlers(Widget)
export class GridHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  lay({ parts }: HandlerContext<Widget>): void {
    const column = (name: string) => (): void => {
      this.calls.push(name);
    };
    parts.addAll({
      north: (row) => row.parts.addAll({ east: column('north-east'), west: column('north-west') }),
      south: (row) => row.parts.addAll(new Map([['east', column('south-east')]])),
    });
  }
}
