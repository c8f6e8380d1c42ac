import { ParseIntPipe } from '@nestjs/common';
import { Annotations, KubeContext, HandlerContext, Name, New, Old, OnField, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

@ResourceHandlers(Site)
export class TitleHistory {
  readonly lines: string[] = [];

  @OnField({ field: 'spec.title', annotations: { 'web.example/limit': (value) => value !== undefined } })
  note(
    @Name() name: string,
    @Old() before: string | undefined,
    @New() now: string | undefined,
    @Annotations('web.example/limit', ParseIntPipe) limit: number,
    @KubeContext() ctx: HandlerContext<Site>,
  ): void {
    this.lines.push(`${ctx.cause} ${name}: ${before ?? '(none)'} -> ${now?.slice(0, limit) ?? '(none)'}`);
  }
}
