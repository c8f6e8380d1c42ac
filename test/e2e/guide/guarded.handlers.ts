import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { handlerContextOf, OnCreate, PermanentError, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

@Injectable()
export class ShortTitles implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const ctx = handlerContextOf<Site>(host);
    if (ctx === undefined || ctx.spec.title.length <= 60) return true;
    throw new PermanentError('The title is longer than 60 characters');
  }
}

@UseGuards(ShortTitles)
@ResourceHandlers(Site)
export class GuardedHandlers {
  @OnCreate()
  publish(): { page: string } {
    return { page: 'published' };
  }
}
