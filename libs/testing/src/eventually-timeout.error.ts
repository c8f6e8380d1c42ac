import { inspect } from 'node:util';

/** What there is to say about the attempts. */
export interface EventuallyAttempts {
  readonly timeout: number;
  readonly attempts: number;
  /** The last attempt has not ended. */
  readonly hanging: boolean;
  /** What the last attempt that ended returned. */
  readonly value?: unknown;
  /** What it threw. */
  readonly error?: unknown;
}

/** What was waited for did not come in time. */
export class EventuallyTimeoutError extends Error {
  readonly code = 'TESTING_EVENTUALLY_TIMEOUT';
  override readonly name = 'EventuallyTimeoutError';
  /** Calls of the attempt. */
  readonly attempts: number;

  constructor(about: EventuallyAttempts) {
    const { timeout, attempts, hanging } = about;
    const calls = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
    const state = hanging ? `${calls}, the last of which hangs` : calls;
    super(
      `It did not come true within ${timeout} ms (${state}). Last seen: ${lastSeen(about)}`,
      'error' in about ? { cause: about.error } : {},
    );
    this.attempts = attempts;
  }
}

const longest = 2_000;

function lastSeen(about: EventuallyAttempts): string {
  if ('error' in about) return cut(about.error instanceof Error ? about.error.message : inspect(about.error));
  if ('value' in about) return cut(inspect(about.value, { depth: 6, breakLength: 120 }));
  return 'nothing';
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}
