import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnUpdate,
  PermanentError,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { Widget } from '../support/kinds.js';

type Context = HandlerContext<Widget>;

const of = (scenario: string) => ({ labels: { scenario } });
const field = 'spec.n';

/** The handlers of the comparison: those of `kopf/program.py`. */
@ResourceHandlers(Widget)
export class ComparedHandlers {
  constructor(private readonly calls: Array<readonly [name: string, what: string]>) {}

  @OnCreate(of('creation'))
  made(ctx: Context): object {
    this.call(ctx, 'create');
    return { done: true };
  }

  @OnUpdate({ field, ...of('update') })
  changed(ctx: Context): object {
    this.change(ctx);
    return { n: ctx.new };
  }

  @OnUpdate({ field, ...of('two-handlers') })
  firstOfTwo(ctx: Context): void {
    this.call(ctx, 'update by the first');
  }

  @OnUpdate({ field, ...of('two-handlers') })
  secondOfTwo(ctx: Context): void {
    this.call(ctx, 'update by the second');
    if (ctx.retry < 2) throw new TemporaryError('not yet', { delay: '1s' });
  }

  @OnCreate(of('retries'))
  repeated(ctx: Context): void {
    this.call(ctx, 'create');
    if (ctx.retry < 2) throw new TemporaryError('not yet', { delay: '1s' });
  }

  @OnCreate(of('permanent'))
  givenUp(ctx: Context): void {
    this.call(ctx, 'create');
    throw new PermanentError('never');
  }

  @OnUpdate({ field, ...of('permanent') })
  changedAfterGivingUp(ctx: Context): void {
    this.change(ctx);
  }

  @OnCreate(of('slow'))
  async slow(ctx: Context): Promise<void> {
    this.call(ctx, `create with ${String(ctx.spec['n'])}`);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  }

  @OnUpdate({ field, ...of('slow') })
  changedWhileSlow(ctx: Context): void {
    this.change(ctx);
  }

  @OnCreate(of('own-patch'))
  completes(ctx: Context): void {
    this.call(ctx, 'create');
    ctx.patch.merge({ spec: { n: 100 } });
  }

  @OnUpdate({ field, ...of('own-patch') })
  changedByItself(ctx: Context): void {
    this.change(ctx);
  }

  @OnCreate(of('status-of-others'))
  madeBeforeStatus(ctx: Context): void {
    this.call(ctx, 'create');
  }

  @OnUpdate(of('status-of-others'))
  changedStatus(ctx: Context): void {
    this.call(ctx, 'update');
  }

  @OnCreate(of('restart'))
  acrossRestart(ctx: Context): void {
    this.call(ctx, 'create');
    if (ctx.retry < 1) throw new TemporaryError('after the restart', { delay: '8s' });
  }

  @OnCreate(of('downtime'))
  madeBeforeDowntime(ctx: Context): void {
    this.call(ctx, 'create');
  }

  @OnUpdate({ field, ...of('downtime') })
  changedInDowntime(ctx: Context): void {
    this.change(ctx);
  }

  @OnDelete(of('downtime'))
  deletedInDowntime(ctx: Context): void {
    this.call(ctx, 'delete');
  }

  private change(ctx: Context): void {
    this.call(ctx, `update ${String(ctx.old)} to ${String(ctx.new)}`);
  }

  private call({ meta, retry }: Context, what: string): void {
    this.calls.push([meta.name, retry === 0 ? what : `${what}, again`]);
  }
}
