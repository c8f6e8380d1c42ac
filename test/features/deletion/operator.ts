import { HandlerContext, OnCreate, OnDelete, PermanentError, ResourceHandlers, TemporaryError } from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Takes a widget down: it fails at first, and the widget stays until it has succeeded. */
@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  async build({ signal, stopped }: HandlerContext<Widget>): Promise<void> {
    this.calls.push('build');
    await stopped.wait('10m');
    this.calls.push(`building ends: ${stopped.reason}`);
    signal.throwIfAborted();
  }

  @OnDelete()
  dismantle({ retry }: HandlerContext<Widget>): void {
    this.calls.push(`dismantle ${retry}`);
    if (retry < 2) throw new TemporaryError('still in use', { delay: '1s' });
  }

  /** Asks for no finalizer of its own: called as long as another delete handler keeps the object. */
  @OnDelete({ optional: true })
  note(): void {
    this.calls.push('note');
  }
}

/** What becomes of an object whose delete handler has failed for good. */
@ResourceHandlers(Widget)
export class FailingHandlers {
  readonly calls: string[] = [];

  @OnDelete({ labels: { precious: 'no' }, onGiveUp: 'release' })
  letGo(): void {
    this.calls.push('let go');
    throw new PermanentError('cannot be taken down');
  }

  @OnDelete({ labels: { precious: 'yes' }, onGiveUp: 'hold' })
  hold(): void {
    this.calls.push('hold');
    throw new PermanentError('cannot be taken down');
  }
}
