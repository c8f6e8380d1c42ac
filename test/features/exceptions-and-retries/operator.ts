import { HandlerContext, OnCreate, OnUpdate, PermanentError, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

interface Attempt {
  readonly retry: number;
  readonly at: Date;
}

/** How a handler ends decides what follows: each kind of error once. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly attempts: Attempt[] = [];

  @OnCreate({ backoff: '3s' })
  @OnUpdate({ field: 'spec.size' })
  ensure(ctx: HandlerContext<Widget>): void {
    this.attempts.push({ retry: ctx.retry, at: ctx.now });
    switch (ctx.retry) {
      case 0:
        throw new TemporaryError('not yet', { delay: '1s' }); // again after this delay, exactly
      case 1:
        throw new Error('something broke'); // again by the handler's policy: 3 s, with jitter
      default:
        throw new PermanentError('it will never work'); // not again for this state
    }
  }
}

/** Runs beside it on the same objects: nobody waits for a handler that fails. */
@ResourceHandlers(Widget)
export class OtherHandlers {
  readonly created: string[] = [];

  @OnCreate()
  note(ctx: HandlerContext<Widget>): void {
    this.created.push(ctx.meta.name);
  }
}
