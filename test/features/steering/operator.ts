import { HandlerContext, OnCreate, OnDelete, OnReconcile, OnUpdate, ResourceHandlers, Timer } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Handlers of changes, of levels and of time; what they are told to do about one object stands on that object. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  @OnUpdate({ field: 'spec.size' })
  @OnDelete()
  handle({ cause, spec }: HandlerContext<Widget>): void {
    this.calls.push(`${cause} ${spec.size}`);
  }
}

/** All of these would wait for an hour. */
@ResourceHandlers(Widget)
export class PatientHandlers {
  readonly calls: string[] = [];

  @OnCreate({ backoff: '1h' })
  connect({ retry }: HandlerContext<Widget>): void {
    this.calls.push(`connect ${retry}`);
    if (retry === 0) throw new Error('nobody is there');
  }

  @Timer({ interval: '1h' })
  check(): void {
    this.calls.push('check');
  }

  @OnReconcile()
  level(): void {
    this.calls.push('level');
  }
}
