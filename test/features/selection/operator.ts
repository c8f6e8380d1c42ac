import {
  Daemon,
  HandlerContext,
  OnCreate,
  OnDelete,
  OnUpdate,
  OnWatchEvent,
  PRESENT,
  ResourceHandlers,
  TemporaryError,
  Timer,
  type Clock,
} from 'nestjs-operator';
import { Injectable } from '@nestjs/common';
import { Gadget, Widget } from '../../support/kinds.js';
import { GROUP } from './machines.js';

/** Every way to say which resource is meant. */
@Injectable()
export class GearHandlers {
  readonly calls: string[] = [];

  @OnCreate({ resource: { plural: 'gears', group: GROUP } })
  byPlural(ctx: HandlerContext): void {
    this.note('plural', ctx);
  }

  @OnCreate({ resource: { singular: 'gear' } })
  bySingular(ctx: HandlerContext): void {
    this.note('singular', ctx);
  }

  @OnCreate({ resource: { kind: 'Gear' } })
  byKind(ctx: HandlerContext): void {
    this.note('kind', ctx);
  }

  @OnCreate({ resource: { shortName: 'gr' } })
  byShortName(ctx: HandlerContext): void {
    this.note('short name', ctx);
  }

  @OnCreate({ resource: 'Gear.select.example' })
  byText(ctx: HandlerContext): void {
    this.note('text', ctx);
  }

  @OnCreate({ resource: { category: 'machinery' } })
  byCategory(ctx: HandlerContext): void {
    this.note('category', ctx);
  }

  @OnCreate({ resource: { group: GROUP } })
  byGroup(ctx: HandlerContext): void {
    this.note('group', ctx);
  }

  @OnCreate({ resource: { where: ({ group, kind }) => group === GROUP && kind.startsWith('G') } })
  byFunction(ctx: HandlerContext): void {
    this.note('function', ctx);
  }

  private note(way: string, { object }: HandlerContext): void {
    this.calls.push(`${object.apiVersion} ${object.metadata.name} by ${way}`);
  }
}

/** Sees whatever there is. */
@ResourceHandlers({ everything: true })
export class Onlooker {
  readonly seen: string[] = [];

  @OnWatchEvent()
  see({ resource, meta, eventType }: HandlerContext): void {
    this.seen.push(`${eventType} ${resource.plural} ${meta.name}`);
  }
}

/** What came, by key. */
@Injectable()
export class Counter {
  readonly seen: string[] = [];

  @OnWatchEvent({ resource: Widget })
  widget(ctx: HandlerContext<Widget>): void {
    if (ctx.eventType === 'ADDED') this.seen.push(ctx.key);
  }

  @OnWatchEvent({ resource: Gadget })
  gadget(ctx: HandlerContext<Gadget>): void {
    if (ctx.eventType === 'ADDED') this.seen.push(ctx.key);
  }
}

/** Needs a second and a second attempt to clean up. */
@ResourceHandlers(Widget)
export class Careful {
  readonly calls: string[] = [];
  readonly cleaned: string[] = [];

  /** The operator's. */
  clock: Clock | undefined;

  @OnCreate()
  greet(ctx: HandlerContext<Widget>): void {
    this.calls.push(`create ${ctx.meta.name}`);
    ctx.event({ reason: 'Greeted', message: 'It is served' });
  }

  @OnDelete()
  async clean(ctx: HandlerContext<Widget>): Promise<void> {
    this.calls.push(`delete ${ctx.meta.name}`);
    ctx.event({ reason: 'Cleaning', message: 'It is about to go' });
    await this.pause(1_000);
    if (ctx.retry === 0) throw new TemporaryError('Not yet', { delay: '1s' });
    this.cleaned.push(ctx.meta.name);
  }

  private async pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.clock?.setTimer(milliseconds, resolve);
    await promise;
  }
}

/** Serves machines of every sort. */
@ResourceHandlers({ category: 'machinery' })
export class MachineHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  assemble({ resource, meta }: HandlerContext): void {
    this.calls.push(`create ${resource.plural} ${meta.name}`);
  }

  @OnWatchEvent()
  see({ resource, meta, eventType }: HandlerContext): void {
    if (eventType === 'DELETED') this.calls.push(`DELETED ${resource.plural} ${meta.name}`);
  }

  @Daemon({ finalizer: false })
  async operate({ meta, stopped }: HandlerContext): Promise<void> {
    this.calls.push(`run ${meta.name}`);
    await stopped.wait();
    this.calls.push(`stop ${meta.name}: ${stopped.reason}`);
  }
}

/** Takes levers in whatever version the server prefers. */
@ResourceHandlers('levers.select.example')
export class LeverHandlers {
  readonly calls: string[] = [];
  /** Creation takes as long as this. */
  busy: Promise<void> | undefined;

  @OnCreate()
  @OnUpdate()
  async adjust({ cause, resource }: HandlerContext): Promise<void> {
    this.calls.push(`${cause} ${resource.version}`);
    await this.busy;
  }

  @Daemon({ finalizer: false })
  async operate({ resource, stopped }: HandlerContext): Promise<void> {
    const { version } = resource;
    this.calls.push(`run ${version}`);
    await stopped.wait();
    this.calls.push(`stop ${version}: ${stopped.reason}`);
  }
}

const wanted = { labels: { mine: 'yes', tier: PRESENT } } as const;

/** All of it for objects with certain labels only. */
@ResourceHandlers(Widget)
export class LabelledHandlers {
  readonly calls: string[] = [];

  @OnCreate(wanted)
  @OnDelete(wanted)
  handle(ctx: HandlerContext<Widget>): void {
    this.calls.push(`${ctx.cause} ${ctx.meta.name}`);
    if (ctx.cause === 'create' && ctx.meta.labels?.['leave'] === 'yes') {
      ctx.patch.merge({ metadata: { labels: { mine: null } } } as never);
    }
  }

  @OnWatchEvent(wanted)
  see(ctx: HandlerContext<Widget>): void {
    if (ctx.eventType === 'DELETED') this.calls.push(`DELETED ${ctx.meta.name}`);
  }

  @Timer({ ...wanted, interval: '3s' })
  check(ctx: HandlerContext<Widget>): void {
    this.calls.push(`timer ${ctx.meta.name}`);
  }

  @Daemon(wanted)
  async operate({ meta, stopped }: HandlerContext<Widget>): Promise<void> {
    this.calls.push(`run ${meta.name}`);
    await stopped.wait();
    this.calls.push(`stop ${meta.name}: ${stopped.reason}`);
  }
}

/** Looks at one object only. */
@ResourceHandlers('configmaps')
export class NamedHandlers {
  readonly seen: string[] = [];

  @OnWatchEvent({ field: 'metadata.name', value: 'settings' })
  see(ctx: HandlerContext): void {
    this.seen.push(ctx.meta.name);
  }
}
