import {
  ABSENT,
  allOf,
  anyOf,
  Daemon,
  HandlerContext,
  noneOf,
  not,
  OnCreate,
  OnUpdate,
  PRESENT,
  ResourceHandlers,
  type FilterContext,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

const isPublic = ({ meta }: FilterContext): boolean => meta.labels?.['tier'] === 'public';
const isNamed =
  (name: string) =>
  (context: FilterContext): boolean =>
    context.meta.name === name;

/** One filter after the other. Each method notes its name when its filter lets an object through. */
@ResourceHandlers(Widget)
export class FilteredHandlers {
  readonly calls: string[] = [];

  @OnCreate({ labels: { tier: 'public' } })
  labelIs(): void {
    this.calls.push('labelIs');
  }

  @OnCreate({ labels: { tier: 'private' } })
  labelIsAnother(): void {
    this.calls.push('labelIsAnother');
  }

  @OnCreate({ labels: { tier: PRESENT } })
  labelIsPresent(): void {
    this.calls.push('labelIsPresent');
  }

  @OnCreate({ labels: { tier: ABSENT } })
  labelIsAbsent(): void {
    this.calls.push('labelIsAbsent');
  }

  @OnCreate({ labels: { tier: (value, { meta }) => value?.startsWith('pub') === true && meta.name !== 'secret' } })
  labelByFunction(): void {
    this.calls.push('labelByFunction');
  }

  @OnCreate({ annotations: { 'demo.example/mode': 'test' } })
  annotationIs(): void {
    this.calls.push('annotationIs');
  }

  @OnCreate({ annotations: { 'demo.example/mode': PRESENT, 'demo.example/draft': ABSENT } })
  annotationsPresentAndAbsent(): void {
    this.calls.push('annotationsPresentAndAbsent');
  }

  @OnCreate({ annotations: { 'demo.example/mode': (value) => value === 'production' } })
  annotationByFunction(): void {
    this.calls.push('annotationByFunction');
  }

  @OnCreate({ when: ({ object }) => object.metadata.name.length > 0 })
  whenTrue(): void {
    this.calls.push('whenTrue');
  }

  @OnCreate({ when: () => false })
  whenFalse(): void {
    this.calls.push('whenFalse');
  }

  @OnCreate({ field: 'spec.color', value: 'red' })
  fieldIs(): void {
    this.calls.push('fieldIs');
  }

  @OnCreate({ field: 'spec.color', value: 'blue' })
  fieldIsAnother(): void {
    this.calls.push('fieldIsAnother');
  }

  @OnCreate({ field: 'spec.color', value: PRESENT })
  fieldIsPresent(): void {
    this.calls.push('fieldIsPresent');
  }

  @OnCreate({ field: 'spec.size', value: ABSENT })
  fieldIsAbsent(): void {
    this.calls.push('fieldIsAbsent');
  }

  @OnCreate({
    field: 'spec.color',
    value: (color: unknown, { meta }: FilterContext) => color !== undefined && meta.labels?.['tier'] === 'public',
  })
  fieldByFunction(): void {
    this.calls.push('fieldByFunction');
  }

  @OnCreate({ when: allOf(isPublic, anyOf(isNamed('filtered'), isNamed('other')), noneOf(isNamed('b'), isNamed('c'))) })
  combined(): void {
    this.calls.push('combined');
  }

  @OnCreate({ when: not(isPublic) })
  negated(): void {
    this.calls.push('negated');
  }

  @OnUpdate({ field: 'spec.color', old: 'red', new: 'blue' })
  fromRedToBlue(): void {
    this.calls.push('fromRedToBlue');
  }

  @OnUpdate({ field: 'spec.color', new: ABSENT })
  toNothing(): void {
    this.calls.push('toNothing');
  }
}

/** A filter is asked again at each change: a daemon runs for as long as it matches. */
@ResourceHandlers(Widget)
export class RedDaemon {
  readonly calls: string[] = [];

  @Daemon({ field: 'spec.color', value: 'red' })
  async accompany(ctx: HandlerContext<Widget>): Promise<void> {
    this.calls.push('begins');
    await ctx.stopped.wait();
    this.calls.push(`ends: ${ctx.stopped.reason}`);
  }
}
