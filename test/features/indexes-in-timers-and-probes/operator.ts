import { Controller, Get } from '@nestjs/common';
import type { V1Pod } from '@kubernetes/client-node';
import {
  defineIndex,
  HandlerContext,
  InjectIndex,
  ObjectIndex,
  ResourceHandlers,
  Timer,
  type IndexView,
  type Stored,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Whether pods run, by `namespace/name`. */
export const IS_RUNNING = defineIndex<string, boolean>('isRunning');
/** Names of pods by each of their labels, as `key=value`. */
export const BY_LABEL = defineIndex<string, string>('byLabel');

/** Two indexes from one look at each pod's state; nothing is asked of the server for them. */
@ResourceHandlers('pods')
export class PodIndexes {
  @ObjectIndex(IS_RUNNING)
  isRunning({ key, object }: HandlerContext<Stored<V1Pod>>): Record<string, boolean> {
    return { [key]: object.status?.phase === 'Running' };
  }

  @ObjectIndex(BY_LABEL)
  byLabel({ meta }: HandlerContext<Stored<V1Pod>>): Array<readonly [string, string]> {
    return Object.entries(meta.labels ?? {}).map(([key, value]) => [`${key}=${value}`, meta.name]);
  }
}

/** Writes into each widget's status which pods run, and which of them are its own by label. */
@ResourceHandlers(Widget)
export class PodReport {
  @Timer({ interval: '5s' })
  report({ meta, indexes }: HandlerContext<Widget>): { readonly running: string[]; readonly own: string[] } {
    const isRunning = indexes.get(IS_RUNNING);
    const running = [...isRunning.keys()].filter((key) => isRunning.get(key).includes(true));
    return { running: running.toSorted(), own: indexes.get(BY_LABEL).get(`widget=${meta.name}`).toSorted() };
  }
}

/** A probe is an ordinary controller that reads an index. */
@Controller('probe')
export class PodProbe {
  constructor(@InjectIndex(IS_RUNNING) private readonly pods: IndexView<string, boolean>) {}

  @Get()
  probe(): { readonly count: number; readonly names: string[] } {
    return { count: this.pods.size, names: [...this.pods.keys()].toSorted() };
  }
}
