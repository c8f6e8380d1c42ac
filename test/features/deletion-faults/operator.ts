import {
  ApiError,
  HandlerContext,
  KubeClient,
  OnCreate,
  OnDelete,
  PermanentError,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { configMaps, Widget } from '../../support/kinds.js';

/** Three ways of cleaning up, one of which needs two attempts and one of which asks for no finalizer. */
@ResourceHandlers(Widget)
export class ThreeDeletions {
  readonly calls: string[] = [];

  @OnDelete()
  quick(): void {
    this.calls.push('quick');
  }

  @OnDelete()
  twice({ retry }: HandlerContext<Widget>): void {
    this.calls.push(`twice ${retry}`);
    if (retry === 0) throw new TemporaryError('Once more.', { delay: '3s' });
  }

  /** Ends when the test says so. */
  readonly work = Promise.withResolvers<void>();

  @OnDelete({ optional: true })
  async optional(): Promise<void> {
    await this.work.promise;
    this.calls.push('optional');
  }
}

/** Clean-ups that fail in each way; the label says in which. */
@ResourceHandlers(Widget)
export class FailingDeletions {
  readonly calls: string[] = [];

  @OnDelete({ labels: { fails: 'plainly' }, backoff: '200ms' })
  plainly({ retry }: HandlerContext<Widget>): void {
    this.calls.push(`plainly ${retry}`);
    if (retry < 2) throw new Error('Broken.');
  }

  @OnDelete({ labels: { fails: 'temporarily' } })
  temporarily({ retry }: HandlerContext<Widget>): void {
    this.calls.push(`temporarily ${retry}`);
    if (retry < 1) throw new TemporaryError('Busy.', { delay: '300ms' });
  }

  @OnDelete({ labels: { fails: 'permanently' } })
  permanently(): void {
    this.calls.push('permanently');
    throw new PermanentError('Never.');
  }

  @OnDelete({ labels: { fails: 'and-holds' }, onGiveUp: 'hold' })
  andHolds(): void {
    this.calls.push('and-holds');
    throw new PermanentError('Never.');
  }

  @OnDelete({ labels: { fails: 'in-time' }, timeout: '300ms', retries: 2, backoff: '100ms' })
  async inTime({ signal }: HandlerContext<Widget>): Promise<void> {
    this.calls.push('in-time');
    await aborted(signal);
  }

  @OnDelete({ labels: { fails: 'not' } })
  first(): void {
    this.calls.push('first');
  }

  /** Ends when the test says so. */
  readonly slow = Promise.withResolvers<void>();

  @OnDelete({ labels: { fails: 'not' } })
  async second(): Promise<void> {
    this.calls.push('second');
    await this.slow.promise;
  }
}

/** Clean-ups that never end by themselves. */
@ResourceHandlers(Widget)
export class StubbornDeletions {
  readonly calls: string[] = [];

  @OnDelete({ labels: { stubborn: 'retries' }, backoff: '1h' })
  retries(): void {
    this.calls.push('retries');
    throw new Error('Broken.');
  }

  @OnDelete({ labels: { stubborn: 'holds' }, onGiveUp: 'hold' })
  holds(): void {
    this.calls.push('holds');
    throw new PermanentError('Never.');
  }

  @OnDelete({ labels: { stubborn: 'runs' } })
  async runs({ signal }: HandlerContext<Widget>): Promise<void> {
    this.calls.push('runs');
    await aborted(signal);
  }

  @OnDelete({ labels: { stubborn: 'paused' } })
  paused(): void {
    this.calls.push('paused');
  }
}

/** Waits at work on objects that may vanish meanwhile. */
@ResourceHandlers(Widget)
export class WaitingCreation {
  readonly calls: string[] = [];

  @OnCreate()
  async wait({ signal, meta }: HandlerContext<Widget>): Promise<object> {
    this.calls.push(`begins ${meta.name}`);
    try {
      await aborted(signal);
    } catch (error) {
      this.calls.push(`aborted: ${(error as Error & { because?: string }).because}`);
    }
    return { done: true };
  }
}

/** Puts a child beside each object, with a finalizer of its own work. */
@ResourceHandlers(Widget)
export class ParentHandlers {
  readonly calls: string[] = [];

  constructor(private readonly client: KubeClient) {}

  @OnCreate({ backoff: '200ms' })
  async create({ meta, signal }: HandlerContext<Widget>): Promise<void> {
    try {
      await this.client.create(
        configMaps,
        { metadata: { name: `${meta.name}-child`, namespace: meta.namespace! } },
        { signal },
      );
      this.calls.push(`created ${meta.name}`);
    } catch (error) {
      this.calls.push(`refused ${meta.name}: ${error instanceof ApiError ? error.status : 'other'}`);
      throw error;
    }
  }

  @OnDelete({ backoff: '200ms' })
  remove({ meta, retry }: HandlerContext<Widget>): void {
    this.calls.push(`deleted ${meta.name} ${retry}`);
    if (retry === 0) throw new TemporaryError('Once more.', { delay: '200ms' });
  }
}

/** Rejects as soon as the signal is aborted, with its reason. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}
