import {
  HandlerContext,
  New,
  Old,
  OnCreate,
  OnDelete,
  OnField,
  OnResume,
  OnUpdate,
  ResourceHandlers,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Every cause, some of them twice. Handlers of a cause are called in the order of the source. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnResume()
  resumeFirst(): void {
    this.calls.push('resume 1');
  }

  @OnCreate()
  createFirst(): void {
    this.calls.push('create 1');
  }

  @OnResume()
  resumeSecond(): void {
    this.calls.push('resume 2');
  }

  @OnCreate()
  createSecond(): void {
    this.calls.push('create 2');
  }

  @OnUpdate()
  update({ diff }: HandlerContext<Widget>): void {
    const changes = diff.map(
      ({ operation, path, old, new: now }) => `${operation} ${path.join('.')} ${String(old)}->${String(now)}`,
    );
    this.calls.push(`update ${changes.join(', ')}`);
  }

  @OnDelete()
  deleteFirst(): void {
    this.calls.push('delete 1');
  }

  @OnDelete()
  deleteSecond(): void {
    this.calls.push('delete 2');
  }

  @OnField({ field: 'spec.color' })
  recolor(@Old() before: string | undefined, @New() now: string | undefined): void {
    this.calls.push(`color ${before} -> ${now}`);
  }
}
