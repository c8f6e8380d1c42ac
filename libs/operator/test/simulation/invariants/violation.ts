/** The promises that a run is held to. */
export const invariants = [
  'converges',
  'no change lost',
  'no two handlers at once',
  'no success repeated',
  'creation once',
  'deletions seen',
  'fresh after own writes',
  'finalizer before handlers',
  'retries counted',
  'bounded concurrency',
  'foreign changes kept',
  'operator stays alive',
  'quiet at the end',
  'server intact',
] as const;

export type Invariant = (typeof invariants)[number];

/** One promise that was broken. */
export interface Violation {
  readonly invariant: Invariant;
  /** What was found, with the names of object and handler. */
  readonly found: string;
  /** Milliseconds since the begin of the run. */
  readonly at: number;
}
