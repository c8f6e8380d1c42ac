import {
  HandlerContext,
  OnCreate,
  OnDelete,
  OnField,
  OnUpdate,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { Widget } from '../../support/kinds.js';

const longId = 'provision_the_storage_of_the_widget_in_the_region_that_its_team_has_chosen';

/** The operator behind the recorded objects, written anew: the ids are those of its functions. */
@ResourceHandlers(Widget)
export class PortedHandlers {
  readonly calls: string[] = [];
  readonly parts: string[] = [];

  @OnCreate({ formerIds: ['create_fn'] })
  create(ctx: HandlerContext<Widget>): void {
    this.#note('create', ctx);
  }

  @OnCreate({ formerIds: ['second_fn'], annotations: { case: 'retrying' } })
  second(ctx: HandlerContext<Widget>): void {
    this.#note('second', ctx);
  }

  @OnCreate({ formerIds: [longId], annotations: { case: 'long' } })
  long(ctx: HandlerContext<Widget>): void {
    this.#note('long', ctx);
  }

  @OnCreate({ id: 'gives_up_fn', annotations: { case: 'given-up' } })
  givesUp(ctx: HandlerContext<Widget>): void {
    this.#note('givesUp', ctx);
  }

  @OnCreate({ id: 'parts_fn', annotations: { case: 'parts' } })
  async plan(ctx: HandlerContext<Widget>): Promise<void> {
    this.#note('parts', ctx);
    ctx.parts.add('first', () => void this.parts.push('first'));
    ctx.parts.add('second', (part) => void this.parts.push(`second ${part.retry}`));
    await Promise.resolve();
  }

  @OnUpdate({ id: 'update_fn' })
  update(ctx: HandlerContext<Widget>): void {
    this.#note('update', ctx);
  }

  @OnField({ id: 'size_fn', field: 'spec.size', annotations: { case: 'updating' } })
  size(ctx: HandlerContext<Widget>): void {
    this.#note('size', ctx);
  }

  @OnDelete({ formerIds: ['delete_fn'] })
  remove(ctx: HandlerContext<Widget>): void {
    this.#note('delete', ctx);
    if (ctx.spec['stubborn'] === true) throw new TemporaryError('Busy.', { delay: '1h' });
  }

  #note(handler: string, { meta, retry, cause }: HandlerContext<Widget>): void {
    this.calls.push(`${meta.name}: ${handler} ${cause} ${retry}`);
  }
}
