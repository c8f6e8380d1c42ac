import {
  CustomResource,
  HandlerContext,
  KubeObject,
  OnCreate,
  OnDelete,
  OnUpdate,
  OnWatchEvent,
  ResourceHandlers,
} from 'nestjs-operator';
import { StrictWidget, Widget } from '../../support/kinds.js';

type Open = Record<string, unknown>;

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Straggler', plural: 'stragglers', scope: 'Namespaced' })
export class Straggler extends KubeObject<Open, Open> {}

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Returner', plural: 'returners', scope: 'Namespaced' })
export class Returner extends KubeObject<Open, Open> {}

class Calls {
  readonly calls: string[] = [];

  protected note(ctx: HandlerContext<KubeObject<Open, Open>>): object {
    this.calls.push(`${ctx.cause} ${ctx.meta.name} ${String(ctx.spec['size'])}`);
    return { seen: ctx.spec['size'] };
  }
}

@ResourceHandlers(Widget)
export class WidgetHandlers extends Calls {
  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    return this.note(ctx);
  }
}

@ResourceHandlers(Widget)
export class FinalizedHandlers extends Calls {
  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Widget>): object {
    return this.note(ctx);
  }

  @OnDelete()
  remove(ctx: HandlerContext<Widget>): void {
    this.note(ctx);
  }
}

@ResourceHandlers(Straggler)
export class StragglerHandlers extends Calls {
  @OnCreate()
  ensure(ctx: HandlerContext<Straggler>): object {
    return this.note(ctx);
  }
}

@ResourceHandlers(Returner)
export class ReturnerHandlers extends Calls {
  @OnCreate()
  ensure(ctx: HandlerContext<Returner>): object {
    return this.note(ctx);
  }

  @OnDelete()
  remove(ctx: HandlerContext<Returner>): void {
    this.note(ctx);
  }
}

/** Two handlers, so that each sees what the other one writes. */
@ResourceHandlers(Widget)
export class EchoHandlers extends Calls {
  readonly events: string[] = [];

  @OnUpdate()
  @OnCreate()
  ensure(ctx: HandlerContext<Widget>): void {
    this.note(ctx);
    ctx.patch.merge({ status: { seen: ctx.spec['size'], at: `round ${this.calls.length}` } });
  }

  @OnWatchEvent()
  see(ctx: HandlerContext<Widget>): void {
    this.events.push(`${ctx.eventType} ${ctx.meta.name}`);
  }
}

@ResourceHandlers(Widget)
export class CountingHandlers extends Calls {
  @OnCreate()
  @OnUpdate()
  count(ctx: HandlerContext<Widget>): void {
    this.note(ctx);
    // On the freshest object: somebody else counts in the same status.
    ctx.patch.update((object) => {
      object.status = { ...object.status, ours: Number(object.status?.['ours'] ?? 0) + 1 };
    });
  }
}

@ResourceHandlers(StrictWidget)
export class InvalidHandlers extends Calls {
  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<StrictWidget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
    ctx.patch.merge({ spec: { size: ctx.spec.color === 'red' ? ('no number' as never) : 7 } });
  }
}
