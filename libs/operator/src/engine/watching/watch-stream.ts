import type { ApiClient, ApiRequest, ApiStream } from '../client/api-client.js';
import { unlessAborted } from '../client/wait.js';
import type { Clock, PollPhase } from '../ports/index.js';
import { ChunkReader } from './chunk-reader.js';
import { FrameSplitter } from './frame-splitter.js';
import { SilenceLimit } from './silence-limit.js';

export interface WatchStreamOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly pollPhase: PollPhase;
  /** Milliseconds without a byte after which the stream counts as dead. */
  readonly silence: number;
}

/**
 * How a stream ended: not opened at all; in order; by a broken connection (in mid-line as well); by silence; or because
 * its reader had enough.
 */
export type StreamEnd<Verdict> =
  | { readonly by: 'refusal'; readonly error: unknown }
  | { readonly by: 'end'; readonly frames: number; readonly lasted: number }
  | { readonly by: 'cut'; readonly frames: number; readonly lasted: number; readonly error: unknown }
  | { readonly by: 'silence'; readonly frames: number; readonly lasted: number }
  | { readonly by: 'reader'; readonly frames: number; readonly lasted: number; readonly verdict: Verdict };

export interface StreamReader<Verdict> {
  /** The server has accepted the request. */
  onOpen(): void;
  /** One line. Anything but `undefined` ends the stream. What it throws ends it too, and is thrown by {@link readStream}. */
  onFrame(line: string): Verdict | undefined;
}

class Silence extends Error {}

/**
 * Opens one watch stream and reads it to its end. Resolves exactly once, with the connection closed; rejects with the
 * signal's reason when that is aborted, and with what the reader throws. No frame is handed on after the abort.
 */
export async function readStream<Verdict>(
  options: WatchStreamOptions,
  request: ApiRequest,
  reader: StreamReader<Verdict>,
  signal: AbortSignal,
): Promise<StreamEnd<Verdict>> {
  const { clock } = options;
  let stream: ApiStream;
  try {
    stream = await open(options.client, request, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { by: 'refusal', error };
  }
  const openedAt = clock.monotonic();
  const splitter = new FrameSplitter();
  const chunks = new ChunkReader(stream.chunks);
  const silence = new SilenceLimit(clock, options.pollPhase, options.silence, () => chunks.cancel(new Silence()));
  const abort = (): void => chunks.cancel(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  let frames = 0;
  const summary = (): { frames: number; lasted: number } => ({ frames, lasted: clock.monotonic() - openedAt });
  try {
    reader.onOpen();
    silence.start();
    for (;;) {
      let chunk: Uint8Array | undefined;
      try {
        signal.throwIfAborted();
        chunk = await chunks.next();
      } catch (error) {
        signal.throwIfAborted();
        return error instanceof Silence ? { by: 'silence', ...summary() } : { by: 'cut', error, ...summary() };
      }
      signal.throwIfAborted();
      if (chunk === undefined) {
        // The rest of a line is worth nothing: its event comes again with the next stream.
        if (splitter.pendingBytes === 0) return { by: 'end', ...summary() };
        return { by: 'cut', error: new Error('The stream ended in the middle of a line'), ...summary() };
      }
      silence.heard();
      for (const line of splitter.push(chunk)) {
        frames++;
        const verdict = reader.onFrame(line);
        signal.throwIfAborted();
        if (verdict !== undefined) return { by: 'reader', verdict, ...summary() };
      }
    }
  } finally {
    silence.stop();
    signal.removeEventListener('abort', abort);
    stream.close();
  }
}

async function open(client: ApiClient, request: ApiRequest, signal: AbortSignal): Promise<ApiStream> {
  const opening = client.stream({ ...request, signal });
  try {
    return await unlessAborted(opening, signal);
  } catch (error) {
    // An answer that comes after the abort must not stay open. A failure by then changes nothing.
    if (signal.aborted) {
      opening.then(
        (late) => late.close(),
        () => undefined,
      );
    }
    throw error;
  }
}
