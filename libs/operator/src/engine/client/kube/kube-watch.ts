import { ApiError } from '../../../errors/api.error.js';
import { NetworkError } from '../../../errors/network.error.js';
import { RequestTimeoutError } from '../../../errors/request-timeout.error.js';
import type { Clock, Random } from '../../ports/index.js';
import { FrameSplitter } from '../../watching/frame-splitter.js';
import { AbortScope } from '../abort-scope.js';
import type { ApiClient, ApiRequest, ApiStream } from '../api-client.js';
import { readFailure } from '../read-failure.js';
import { wait } from '../wait.js';
import type { WatchEvent } from './kube-options.js';

/** Bounds of one request, in seconds: the server ends it then. */
const shortestWatch = 300;
const longestWatch = 600;
/** How long after that the connection counts as dead. */
const grace = 30_000;

export interface KubeWatchOptions {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Waits between failing requests; after the last one the failure is thrown. An event starts them over. */
  readonly retries: readonly number[];
  readonly path: string;
  readonly query: ApiRequest['query'];
  readonly resourceVersion: string | undefined;
  readonly signal: AbortSignal | undefined;
}

interface Frame {
  readonly type?: unknown;
  readonly object?: { readonly kind?: unknown; readonly metadata?: { readonly resourceVersion?: unknown } };
}

/** Events of one resource, across as many requests as it takes. Ends with the consumer's loop, its signal or an error. */
export async function* kubeWatch<T>(options: KubeWatchOptions): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const scope = new AbortScope([options.signal]);
  let version = options.resourceVersion;
  let failures = 0;
  try {
    for (;;) {
      try {
        for await (const frame of framesOf(options, version, scope.signal)) {
          const seen = frame.object?.metadata?.resourceVersion;
          if (typeof seen === 'string' && seen !== '') version = seen;
          failures = 0;
          if (frame.type !== 'BOOKMARK') yield frame as unknown as WatchEvent<T>;
        }
        // Ended by the server in good order: at once again, unless it does so without ever saying anything.
        failures++;
        if (failures === 1) continue;
      } catch (error) {
        if (!mayPass(error)) throw error;
        failures++;
        if (failures > options.retries.length) throw error;
      }
      await wait(options.clock, options.retries[Math.min(failures, options.retries.length) - 1] ?? 0, scope.signal);
    }
  } finally {
    scope.end();
  }
}

async function* framesOf(
  options: KubeWatchOptions,
  version: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Frame, void, undefined> {
  const seconds = Math.round(shortestWatch + options.random.next() * (longestWatch - shortestWatch));
  const request: ApiRequest = {
    verb: 'watch',
    path: options.path,
    query: {
      ...options.query,
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: seconds,
      resourceVersion: version,
    },
    signal,
  };
  const stream = await options.client.stream(request);
  const limit = options.clock.setTimer(seconds * 1_000 + grace, () => stream.close());
  try {
    yield* read(stream, request, options.clock);
  } finally {
    limit.cancel();
    stream.close();
  }
}

async function* read(stream: ApiStream, request: ApiRequest, clock: Clock): AsyncGenerator<Frame, void, undefined> {
  const splitter = new FrameSplitter();
  for await (const chunk of stream.chunks) {
    for (const line of splitter.push(chunk)) {
      if (line.trim() === '') continue;
      const frame = parse(line, request);
      if (frame.type === 'ERROR') throw errorOf(frame, request, clock);
      yield frame;
    }
  }
}

function parse(line: string, request: ApiRequest): Frame {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    // The parser's message quotes the object.
    throw new NetworkError({
      verb: request.verb,
      path: request.path,
      server: 'the API server',
      systemCode: 'INVALID_JSON',
      mayHaveReachedServer: true,
      advice: 'A line of the watch is not JSON: look for a proxy in between',
    });
  }
}

function errorOf(frame: Frame, request: ApiRequest, clock: Clock): ApiError {
  const code = (frame.object as { readonly code?: unknown } | undefined)?.code;
  const text = JSON.stringify(frame.object ?? {});
  return readFailure(request, { status: typeof code === 'number' ? code : 500, headers: {}, text }, clock);
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 408 || error.status === 429 || error.status >= 500;
  return error instanceof NetworkError || error instanceof RequestTimeoutError;
}
