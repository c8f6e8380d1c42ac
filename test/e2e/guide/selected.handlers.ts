import { HandlerContext, OnWatchEvent, ResourceHandlers } from 'nestjs-operator';

@ResourceHandlers({ group: 'web.example', where: ({ namespaced }) => namespaced })
export class Journal {
  readonly lines: string[] = [];

  @OnWatchEvent()
  note(ctx: HandlerContext): void {
    this.lines.push(`${ctx.eventType} ${ctx.resource.kind} ${ctx.key}`);
  }
}
