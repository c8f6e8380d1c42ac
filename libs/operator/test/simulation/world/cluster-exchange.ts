import { answerDocument } from '../../../../apiserver/src/http/document-answer.js';
import { negotiate } from '../../../../apiserver/src/http/negotiation.js';
import { parsePath } from '../../../../apiserver/src/http/request-info.js';
import { resultText } from '../../../../apiserver/src/http/result-text.js';
import { resourceTypeOf, UnknownPath, verbOf } from '../../../../apiserver/src/http/routing.js';
import { dispatch } from '../../../../apiserver/src/pipeline/dispatch.js';
import { listOptions } from '../../../../apiserver/src/pipeline/list.js';
import { ApiError, errors } from '../../../../apiserver/src/status.js';
import { CompactedError } from '../../../../apiserver/src/store/store.js';
import type { WatchForm } from '../../../../apiserver/src/watching/watch-frames.js';
import type { OpenWatch } from '../../../../apiserver/src/watching/watch-hub.js';
import { WatchSession } from '../../../../apiserver/src/watching/watch-session.js';
import type { SimulatedCluster } from './simulated-cluster.js';

export interface ExchangeRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  /** Show an older revision. */
  readonly asOf?: number | undefined;
}

/** Takes the lines of a watch. */
export interface StreamSink {
  line(line: Buffer): void;
  end(): void;
  reset(): void;
}

export interface ExchangeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A watch was accepted: what follows goes to the sink, from the call of this on. */
  readonly watch?: { start(sink: StreamSink): void; release(): void };
}

const jsonType = 'application/json';
const jsonHeaders = { 'content-type': jsonType };

/** What the server's own HTTP exchange does with a request, without HTTP: routes, pipeline and forms are the server's. */
export async function exchange(cluster: SimulatedCluster, request: ExchangeRequest): Promise<ExchangeAnswer> {
  try {
    return await answer(cluster, request);
  } catch (error) {
    return refusal(cluster, error);
  }
}

function answer(cluster: SimulatedCluster, request: ExchangeRequest): ExchangeAnswer | Promise<ExchangeAnswer> {
  const { context } = cluster;
  const url = new URL(request.path, 'http://simulated');
  const info = parsePath(url.pathname);
  const verb = verbOf(request.method, info, url.searchParams);
  const accept = String(request.headers['accept'] ?? jsonType);
  const userAgent = String(request.headers['user-agent'] ?? '');
  const wishes = { accept, userAgent, pretty: url.searchParams.get('pretty') };
  if (info.kind === 'other') {
    const parts = {
      context,
      documents: (asked: URL, headers: Record<string, unknown>) =>
        cluster.documents.answer(asked, headers as { accept?: string }),
    } as unknown as Parameters<typeof answerDocument>[0];
    const document = answerDocument(parts, url, { method: request.method, headers: { accept } }, wishes);
    return {
      status: document.status,
      headers: { ...document.headers, 'content-type': document.contentType },
      body: document.body,
    };
  }
  const type = resourceTypeOf(context.registry, info, verb, request.method);
  if (verb === 'watch') {
    const { as, version } = negotiate(wishes, 'watch');
    const shown = as === 'metadata' ? cluster.rendering.metadataForm(version) : cluster.rendering.objectForm();
    return openWatch(cluster, type, info.namespace, url.searchParams, request.asOf, shown);
  }
  const form = negotiate(wishes, verb === 'list' || verb === 'deletecollection' ? 'list' : 'object');
  const contentType = String(request.headers['content-type'] ?? jsonType);
  const pending = dispatch(
    context,
    {
      identity: cluster.identity,
      verb,
      type,
      namespace: info.namespace,
      name: info.name,
      subresource: info.subresource,
      query: url.searchParams,
      contentType,
      body: request.body,
      userAgent,
    },
    request.asOf,
  );
  const finish = (result: Awaited<typeof pending>): ExchangeAnswer => ({
    status: 'list' in result ? 200 : result.object.code,
    headers: jsonHeaders,
    body: resultText({ rendering: cluster.rendering, context }, type, result, form, url.searchParams),
  });
  return pending instanceof Promise ? pending.then(finish) : finish(pending);
}

function openWatch(
  cluster: SimulatedCluster,
  type: ReturnType<typeof resourceTypeOf>,
  namespace: string | undefined,
  query: URLSearchParams,
  asOf: number | undefined,
  form: WatchForm,
): ExchangeAnswer {
  const options = listOptions(query, type, true);
  WatchSession.revisionOf(options);
  let sink: StreamSink | undefined;
  const session: WatchSession = new WatchSession(
    cluster.context,
    cluster.frames,
    { type, namespace, options, asOf, form },
    { write: (line) => sink?.line(line), end: () => sink?.end() },
    60_000,
    () => cluster.hub.remove(watch),
  );
  const watch: OpenWatch = {
    session,
    user: undefined,
    reset: () => {
      session.release();
      sink?.reset();
    },
    stall: () => undefined,
    raw: (bytes) => sink?.line(bytes),
  };
  return {
    status: 200,
    headers: jsonHeaders,
    body: '',
    watch: {
      start: (to) => {
        sink = to;
        cluster.hub.add(watch);
        session.start()?.catch((error: unknown) => {
          cluster.bugs.push(error);
          watch.reset();
        });
      },
      release: () => session.release(),
    },
  };
}

function refusal(cluster: SimulatedCluster, error: unknown): ExchangeAnswer {
  if (error instanceof UnknownPath) {
    return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '404 page not found\n' };
  }
  let status;
  if (error instanceof ApiError) status = error.status;
  else if (error instanceof CompactedError) {
    status = errors.expired('The resourceVersion for the provided list is too old.').status;
  } else {
    cluster.bugs.push(error);
    status = errors.internal(error instanceof Error ? error.message : String(error)).status;
  }
  const seconds = status.details?.retryAfterSeconds;
  return {
    status: status.code ?? 500,
    headers: { ...jsonHeaders, ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }) },
    body: JSON.stringify(status),
  };
}
