import { HandlerContext, OnCreate, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';
import { Injectable } from '@nestjs/common';
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
