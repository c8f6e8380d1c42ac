/** What can go wrong, as the run's table names it. */
export const faultKinds = [
  'cut',
  '410',
  '409',
  '422',
  '429',
  '5xx',
  'delay',
  'duplicate',
  'stale',
  'crash',
  'restart',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** What happens to one request. Times are milliseconds. */
export type RequestFault =
  /** The connection breaks before the request arrives, or before its answer does; or it is not made at all. */
  | { readonly kind: 'cut'; readonly when: 'refused' | 'before' | 'after' }
  | {
      readonly kind: '410' | '409' | '422' | '429' | '5xx';
      readonly status: number;
      readonly retryAfter?: number;
      readonly causes?: boolean;
    }
  | { readonly kind: 'delay'; readonly request: number; readonly answer: number }
  /** The request arrives twice, at once. */
  | { readonly kind: 'duplicate' }
  /** The answer is that of an older revision. */
  | { readonly kind: 'stale'; readonly revisions: number };

/** What happens to one watch after it was accepted. */
export type StreamFault =
  /** `silence`: the connection stays open, but nothing comes any more. */
  | { readonly kind: 'cut'; readonly after: number; readonly how: 'end' | 'reset' | 'midline' | 'silence' }
  | { readonly kind: '410'; readonly after: number }
  /** Frames come again, this much later. */
  | { readonly kind: 'duplicate'; readonly share: number; readonly longest: number }
  /** Frames take up to this long. */
  | { readonly kind: 'delay'; readonly longest: number };
