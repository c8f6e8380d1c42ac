import {
  defineIndex,
  HandlerContext,
  InjectIndex,
  ObjectIndex,
  OnCreate,
  OnWatchEvent,
  ResourceHandlers,
  type IndexView,
} from 'nestjs-operator';
import { Injectable } from '@nestjs/common';
import { Widget } from '../../support/kinds.js';

/** Names of pods by their application. */
export const PODS_BY_APP = defineIndex<string, string>('podsByApp');

@ResourceHandlers('pods')
export class PodIndexes {
  @ObjectIndex(PODS_BY_APP)
  byApp(ctx: HandlerContext): Array<readonly [string, string]> {
    const { labels, name } = ctx.meta;
    return labels?.['app'] === undefined ? [] : [[labels['app'], name]];
  }
}

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly seen: string[] = [];

  @OnCreate()
  count(ctx: HandlerContext<Widget>): { pods: readonly string[] } {
    const pods = ctx.indexes.get(PODS_BY_APP).get(ctx.meta.name).toSorted();
    this.seen.push(`${ctx.meta.name}: ${pods.join(' ')}`);
    return { pods };
  }
}

/** The index outside of handlers, as in a controller. */
@Injectable()
export class PodReport {
  constructor(@InjectIndex(PODS_BY_APP) private readonly pods: IndexView<string, string>) {}

  podsOf(app: string): readonly string[] {
    return this.pods.get(app).toSorted();
  }

  get apps(): readonly string[] {
    return [...this.pods.keys()].toSorted();
  }
}

/** Sees its own object in the index at once. */
@ResourceHandlers('pods')
export class PodWatcher {
  readonly seen: string[] = [];

  @OnWatchEvent()
  look(ctx: HandlerContext): void {
    const { labels, name } = ctx.meta;
    const indexed = ctx.indexes
      .get(PODS_BY_APP)
      .get(labels?.['app'] ?? '')
      .includes(name);
    this.seen.push(`${ctx.eventType} ${name} ${String(indexed)}`);
  }
}
