import type { FailureKind } from './request-failure.js';

/**
 * States of a watch.
 *
 * - `idle`: not started.
 * - `listing`: asks for the whole state.
 * - `watching`: the server has accepted the watch; the store follows it.
 * - `degraded`: the last request or stream failed. It is retried; the cause is given.
 * - `kind-gone`: the server no longer (or not yet) serves the resource. Discovery is asked until it does.
 * - `stopped`: ended in order. Final.
 * - `failed`: ended by an unrecoverable error. Final.
 */
export type WatchState = 'idle' | 'listing' | 'watching' | 'degraded' | 'kind-gone' | 'stopped' | 'failed';

/** Why a watch is degraded, or why a stream or list had to be asked for again. */
export type WatchTroubleKind = FailureKind | 'cut' | 'silent' | 'empty' | 'error-event' | 'broken';
