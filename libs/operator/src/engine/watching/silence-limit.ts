import type { Clock, PollPhase, Timer } from '../ports/index.js';

/** Calls `onSilent` when nothing was heard for `limit` milliseconds, once bytes that lie ready have been read. */
export class SilenceLimit {
  private heardAt = 0;
  private pending: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly pollPhase: PollPhase,
    private readonly limit: number,
    private readonly onSilent: () => void,
  ) {}

  start(): void {
    this.heard();
    this.arm(this.limit);
  }

  heard(): void {
    this.heardAt = this.clock.monotonic();
  }

  stop(): void {
    this.pending?.cancel();
    this.pending = undefined;
  }

  private arm(delay: number): void {
    this.pending = this.clock.setTimer(delay, () => this.suspect());
  }

  private suspect(): void {
    const left = this.left();
    if (left > 0) this.arm(left);
    else this.pending = this.pollPhase.after(() => this.judge());
  }

  private judge(): void {
    const left = this.left();
    if (left > 0) {
      this.arm(left);
      return;
    }
    this.pending = undefined;
    this.onSilent();
  }

  private left(): number {
    return this.heardAt + this.limit - this.clock.monotonic();
  }
}
