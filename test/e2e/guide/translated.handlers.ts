import { Catch, Injectable, UseFilters, type ExceptionFilter } from '@nestjs/common';
import { HandlerContext, OnCreate, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { Site } from './site.js';

export class RateLimited extends Error {}
export class TitleTaken extends Error {}

@Injectable()
@Catch(RateLimited)
export class SlowDown implements ExceptionFilter<RateLimited> {
  catch(error: RateLimited): never {
    throw new TemporaryError('The publisher asks for patience', { delay: '1m', cause: error });
  }
}

@Injectable()
@Catch(TitleTaken)
export class SayTaken implements ExceptionFilter<TitleTaken> {
  catch(): { message: string } {
    return { message: 'The title is taken' }; // the handler's result: handled, and merged into the status
  }
}

@UseFilters(SlowDown, SayTaken)
@ResourceHandlers(Site)
export class TranslatedHandlers {
  private calls = 0;

  @OnCreate()
  publish(ctx: HandlerContext<Site>): { page: string } {
    if (ctx.spec.title === 'Taken') throw new TitleTaken();
    if ((this.calls += 1) === 1) throw new RateLimited();
    return { page: 'published' };
  }
}
