import { HandlerContext, OnCreate, OnUpdate, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { StrictWidget } from '../../support/kinds.js';
import { Widget } from '../../support/widget.js';

/** Ways to write to one's own object. All of them go out together, after the handlers of a round. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  /** Merged into the status. */
  @OnCreate()
  measure({ spec }: HandlerContext<Widget>): { readonly size: number } {
    return { size: spec.size ?? 0 };
  }

  /** Kept under the handler's id, whatever it is. */
  @OnCreate({ result: 'byHandler' })
  inspect({ spec }: HandlerContext<Widget>): readonly string[] {
    return [`color ${spec.color}`];
  }

  /** Sent also when the handler throws. */
  @OnCreate()
  paint({ patch, retry }: HandlerContext<Widget>): void {
    patch.merge({ spec: { color: 'red' }, metadata: { labels: { painted: 'yes' } }, status: { attempts: retry + 1 } });
    if (retry === 0) throw new TemporaryError('The paint is wet', { delay: '1s' });
  }

  /** Changes the newest object, whoever else writes to it. What it changes itself is no news to it. */
  @OnUpdate({ field: 'spec.size' })
  makeEven({ patch, spec }: HandlerContext<Widget>): void {
    this.calls.push(`size ${spec.size}`);
    patch.update((widget) => {
      widget.spec.size = 2 * Math.ceil((widget.spec.size ?? 0) / 2);
    });
  }

  /** What other handlers change is a change like any other. */
  @OnUpdate({ field: 'spec.color' })
  note({ old, new: now }: HandlerContext<Widget>): void {
    this.calls.push(`${String(old)} -> ${String(now)}`);
  }
}

/** Its schema knows `seen` and `message`, and no `other`. */
@ResourceHandlers(StrictWidget)
export class StrictHandlers {
  @OnCreate()
  fill(): object {
    return { message: 'kept', other: 'lost' };
  }
}
