import { Injectable } from '@nestjs/common';
import {
  allOf,
  anyOf,
  HandlerContext,
  noneOf,
  not,
  OnCreate,
  OnDelete,
  OnResume,
  OnUpdate,
  type FilterContext,
} from 'nestjs-operator';
import { Site } from './site.js';

const isIn = (namespace: string) => (ctx: FilterContext) => ctx.meta.namespace === namespace;
const isDraft = (ctx: FilterContext) => ctx.meta.labels?.['draft'] === 'yes';

@Injectable()
export class ReviewHandlers {
  readonly calls: string[] = [];

  @OnCreate({
    resource: Site, // without @ResourceHandlers, each decorator names it
    id: 'review', // outlives the name of the method …
    formerIds: ['check'], // … and this is what it was called before
    param: { words: 3 },
    backoff: ['1s', '10s', '1m'], // one after the other, then the last one
    retries: 4,
    result: 'byHandler',
    when: allOf(anyOf(isIn('default'), isIn('web')), noneOf(isDraft)),
  })
  reviewTitle(ctx: HandlerContext<Site>): string {
    const { words } = ctx.param as { readonly words: number };
    this.calls.push(`review ${ctx.retry}`);
    if (ctx.spec.title.split(' ').length > words) throw new Error('The title has too many words');
    return 'fine'; // in status.review
  }

  @OnUpdate({ resource: Site, field: 'spec.theme', value: 'dark', backoff: '5s', abortOnChange: true })
  async darken(ctx: HandlerContext<Site>): Promise<void> {
    this.calls.push('begins to darken');
    const hasChanged = await ctx.stopped.wait('1m');
    this.calls.push(hasChanged ? 'leaves it' : 'has darkened');
    ctx.signal.throwIfAborted();
  }

  @OnResume({ resource: Site, deleted: true, errors: 'ignored', backoff: (failures) => failures * 1_000 })
  greet(ctx: HandlerContext<Site>): void {
    this.calls.push(ctx.deleting ? 'sees it go' : 'sees it again');
    throw new Error('no matter');
  }

  @OnDelete({ resource: Site, when: not(isDraft), errors: 'permanent', onGiveUp: 'hold' })
  archive(): void {
    this.calls.push('archive');
    throw new Error('The archive is full'); // fails for good: the object stays until somebody steps in
  }

  @OnDelete({ resource: Site, optional: true })
  forget(): void {
    this.calls.push('forget');
  }
}
