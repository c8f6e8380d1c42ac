import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../access/identity.js';
import { httpDate, pause } from '../clock.js';
import { corrupted } from '../faults/corruption.js';
import { faultAnswer } from '../faults/fault-answer.js';
import type { FaultRequest } from '../faults/fault.js';
import { RequestFaults } from '../faults/request-faults.js';
import type { ApiRequest, Verb } from '../pipeline/api-request.js';
import { checkContentType } from '../pipeline/body-decoding.js';
import { dispatch, type DispatchResult } from '../pipeline/dispatch.js';
import { expiredPage, listOptions } from '../pipeline/list.js';
import { checkPatchTarget } from '../pipeline/patch.js';
import type { ResourceType } from '../resources/resource-type.js';
import { ApiError, errors, type Status } from '../status.js';
import { CompactedError } from '../store/store.js';
import type { OpenWatch } from '../watching/watch-hub.js';
import { WatchSession } from '../watching/watch-session.js';
import { AnswerStream } from './answer-stream.js';
import { authorizationWarning } from './authentication.js';
import { AccessRefused, attributesOf, authorize } from './authorization.js';
import { gzipped } from './compression.js';
import { answerDocument } from './document-answer.js';
import { formatted, formattedStatus } from './formatting.js';
import { checkRoute, negotiate, type Form, type Wishes } from './negotiation.js';
import { ClientGone, contentTypeOf, patchTypeOf, readBody } from './request-body.js';
import { requestEntry, type RequestEntry } from './request-entry.js';
import { parsePath, type PathInfo, type ResourcePath } from './request-info.js';
import { checkTimeout } from './request-timeout.js';
import { includedInRows, resultText } from './result-text.js';
import { resourceTypeOf, UnknownPath, urlOf, verbOf } from './routing.js';
import type { ServerParts } from './server-parts.js';
import { warningHeaders } from './warning-headers.js';

const jsonType = 'application/json';
/** Up to so many characters a body is sent together with its headers. */
const shortest = 16 * 1024;

/** One HTTP request from its first to its last byte. */
export class Exchange {
  readonly #url: URL;
  readonly #info: PathInfo;
  readonly #verb: Verb;
  readonly #record: RequestEntry;
  readonly #began: number;
  #faults = RequestFaults.none;
  #held = false;
  /** Whether flow control has seen the request, which is between authentication and authorization. */
  #isClassified = false;
  #stream: AnswerStream;
  #done: () => void;
  /** Made when somebody has to know that the client is gone: few wait for anything. */
  #gone: AbortController | undefined;

  constructor(
    private readonly parts: ServerParts,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.#done = parts.activity.begin();
    this.#began = parts.context.clock.monotonic();
    this.#url = urlOf(request.url ?? '/');
    this.#info = parsePath(this.#url.pathname);
    this.#verb = verbOf(request.method ?? 'GET', this.#info, this.#url.searchParams);
    this.#record = requestEntry(request, this.#url, this.#verb, this.#resource, parts.context.clock.now());
    parts.requests.append(this.#record);
    this.#stream = this.#newStream();
    response.once('close', () => {
      this.#gone?.abort();
      if (this.#record.status === undefined) this.#took();
      parts.requests.tell(this.#record, 'ended');
    });
  }

  #took(): void {
    this.#record.duration = this.parts.context.clock.monotonic() - this.#began;
  }

  #answered(status: number): void {
    this.#record.status = status;
    this.#took();
    this.parts.requests.tell(this.#record, 'answered');
  }

  get #resource(): ResourcePath | undefined {
    return this.#info.kind === 'resource' ? this.#info : undefined;
  }

  /** Reads the request and answers it. */
  run(): void {
    this.#answer()
      .catch(async (error: unknown) => {
        if (this.#faults.empty || (await this.#holdAnswer())) this.#error(error);
      })
      .catch((error: unknown) => this.parts.onInternalError(error));
  }

  #newStream(): AnswerStream {
    const { context, activity } = this.parts;
    return new AnswerStream(this.response, this.#faults, context.clock, activity, context.limits.watchBuffer, () => {
      this.#record.bytes = this.#stream.bytes;
      this.#done();
    });
  }

  async #answer(): Promise<void> {
    const { authentication, faults } = this.parts;
    let identity: Identity | undefined;
    let refused: ApiError | undefined;
    try {
      identity = authentication.identify(this.request.headers.authorization);
      this.#record.user = identity.name;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused = error;
    }
    const body = await readBody(this.request, this.parts.context.limits.body);
    this.#record.text = body;
    this.#faults = faults.actionsFor(() => this.#faultRequest());
    if (!this.#faults.empty) {
      this.#stream = this.#newStream();
      if (await this.#actBefore()) return;
    }
    if (refused !== undefined) throw refused;
    if (this.#verb !== 'watch') checkTimeout(this.#url.searchParams);
    identity = this.#access(identity!);
    if (this.#info.kind === 'other') {
      if (this.#faults.empty || (await this.#holdAnswer())) this.#other();
      return;
    }
    const type = resourceTypeOf(this.parts.context.registry, this.#info, this.#verb, this.#record.method);
    if (this.#verb !== 'watch') await this.#plain(type, body, identity);
    else if (this.#faults.empty || (await this.#holdAnswer())) this.#watch(type, identity);
  }

  /** Makes sure that the sender may do what is asked for; answers whom the request is from in the end. */
  #access(sender: Identity): Identity {
    const { context, impersonation } = this.parts;
    const attributes = attributesOf(sender, this.#info, this.#record.method, this.#verb, this.#url);
    const identity = impersonation.identify(attributes, this.request.headersDistinct);
    this.#record.user = identity.name;
    this.#isClassified = true;
    authorize(context.authorizer, { ...attributes, identity });
    return identity;
  }

  get #wishes(): Wishes {
    const { accept, 'user-agent': userAgent } = this.request.headers;
    return { accept, userAgent, pretty: this.#url.searchParams.get('pretty') };
  }

  /** The faults that come before the work; true when there is nothing more to do. */
  async #actBefore(): Promise<boolean> {
    for (const action of this.#faults.actions) {
      if (action.action === 'delay' && action.when !== 'beforeAnswer') {
        if (!(await this.#pause(action.ms))) return true;
      } else if (action.action === 'reset' && action.when !== 'afterHeaders') {
        this.#stream.reset();
        return true;
      } else if (action.action === 'stall' && this.#verb !== 'watch' && action.afterBytes === undefined) {
        if (action.ms !== undefined) {
          if (!(await this.#pause(action.ms))) return true;
          continue;
        }
        this.#stream.stall();
        this.#done();
        return true;
      } else if (action.action === 'answer') {
        const { status, contentType, body, headers } = faultAnswer(action);
        if (await this.#holdAnswer()) this.#send(status, contentType, body, headers);
        return true;
      } else if (action.action === 'expire' && this.#verb === 'list') {
        throw expiredPage(this.#url.searchParams.get('continue') ?? '');
      }
    }
    return false;
  }

  /** Waits by the server's clock; false when the client is gone after it. */
  async #pause(ms: number): Promise<boolean> {
    this.#done();
    this.#gone ??= new AbortController();
    if (this.response.closed) this.#gone.abort();
    await pause(this.parts.context.clock, ms, this.#gone.signal);
    if (this.#gone.signal.aborted) return false;
    this.#done = this.parts.activity.begin();
    return true;
  }

  /** Waits for as long as a fault holds the answer back; false when the client is gone after it. */
  async #holdAnswer(): Promise<boolean> {
    const delays = this.#held ? [] : this.#faults.actions.filter((action) => action.action === 'delay');
    this.#held = true;
    let ms = 0;
    for (const delay of delays) if (delay.when === 'beforeAnswer') ms += delay.ms;
    return ms === 0 || this.#pause(ms);
  }

  async #plain(type: ResourceType, body: string | undefined, identity: Identity): Promise<void> {
    const { context } = this.parts;
    const info = this.#resource!;
    const list = this.#verb === 'list' || this.#verb === 'deletecollection';
    const contentType = (this.#verb === 'patch' ? patchTypeOf : contentTypeOf)(this.request.headers['content-type']);
    // What is sent is looked at before what is wanted.
    if (this.#verb === 'patch') checkPatchTarget(type, contentType, info.name);
    if (type.custom === undefined) checkRoute(this.request.headers.accept, this.#verb === 'list' ? 'list' : 'object');
    const form = negotiate(this.#wishes, type.virtual === true ? 'document' : list ? 'list' : 'object');
    if (body === undefined) {
      if (this.#verb !== 'patch') checkContentType(contentType);
      throw errors.tooLarge(context.limits.body);
    }
    const apiRequest: ApiRequest = {
      identity,
      verb: this.#verb,
      type,
      namespace: info.namespace,
      name: info.name,
      subresource: info.subresource,
      query: this.#url.searchParams,
      contentType,
      body,
      // Node takes the bytes of a header for characters.
      userAgent: Buffer.from(this.request.headers['user-agent'] ?? '', 'latin1').toString(),
    };
    const pending = dispatch(context, apiRequest, this.#faults.find('stale')?.revision);
    let result: DispatchResult;
    if (pending instanceof Promise) {
      // It waits for a write or for time to pass: nothing that keeps the server busy.
      this.#done();
      try {
        result = await pending;
      } finally {
        // To a client that is gone nothing is written, so that nothing would end it.
        if (!this.response.closed) this.#done = this.parts.activity.begin();
      }
    } else {
      result = pending;
    }
    if (this.#faults.empty || (await this.#holdAnswer())) this.#result(type, result, form);
  }

  #result(type: ResourceType, result: DispatchResult, form: Form): void {
    const text = resultText(this.parts, type, result, form, this.#url.searchParams);
    if ('list' in result) this.#body(200, text, form, result.warnings);
    else this.#body(result.object.code, text, form, result.object.warnings);
  }

  #watch(type: ResourceType, identity: Identity): void {
    const { context, frames, rendering, hub, bookmarkInterval } = this.parts;
    if (type.custom === undefined) checkRoute(this.request.headers.accept, 'watch');
    const form = negotiate(this.#wishes, 'watch');
    const info = this.#resource!;
    const options = listOptions(this.#url.searchParams, type, true);
    WatchSession.revisionOf(options);
    const table = { include: includedInRows(this.#url.searchParams, form), version: form.version };
    const session: WatchSession = new WatchSession(
      context,
      frames,
      {
        type,
        namespace: info.namespace,
        options,
        asOf: this.#faults.find('stale')?.revision,
        form:
          form.as === 'table'
            ? rendering.tableForm(table, this.parts.nextId())
            : form.as === 'metadata'
              ? rendering.metadataForm(form.version)
              : rendering.objectForm(),
      },
      { write: (line) => stream.line(line), end: () => stream.end() },
      bookmarkInterval,
      () => hub.remove(watch),
    );
    const stream = this.#stream;
    const watch: OpenWatch = {
      session,
      user: identity.name,
      reset: () => {
        session.release();
        stream.reset();
      },
      stall: () => stream.stall(),
      raw: (bytes) => stream.line(bytes),
    };
    stream.onExpire = () => session.expire();
    this.response.once('close', () => session.release());
    if (this.#faults.has('loseAnswer')) {
      stream.reset();
      return;
    }
    this.#answered(200);
    const warnings = warningHeaders(type.deprecation === undefined ? [] : [type.deprecation]);
    stream.open(200, { ...this.#headers(jsonType), ...warnings, 'transfer-encoding': 'chunked' });
    if (stream.over) return;
    hub.add(watch);
    session.start()?.catch((error: unknown) => {
      // The stream has begun: all that is left is to break it.
      this.parts.onInternalError(error);
      watch.reset();
    });
    // What has been written is accounted for by the stream itself; from here on the watch only waits.
    setImmediate(this.#done);
  }

  #other(): void {
    const { status, contentType, body, headers } = answerDocument(this.parts, this.#url, this.request, this.#wishes);
    this.#send(status, contentType, body, headers);
  }

  #error(error: unknown): void {
    if (error instanceof ClientGone) {
      this.#stream.reset();
      return;
    }
    if (this.response.headersSent || this.#stream.over) {
      if (!(error instanceof ApiError)) this.parts.onInternalError(error);
      this.#stream.reset();
      return;
    }
    if (error instanceof UnknownPath) {
      this.#send(404, 'text/plain; charset=utf-8', '404 page not found\n', { 'x-content-type-options': 'nosniff' });
      return;
    }
    let status: Status;
    if (error instanceof ApiError) status = error.status;
    else if (error instanceof CompactedError)
      status = errors.expired('The resourceVersion for the provided list is too old.').status;
    else {
      this.parts.onInternalError(error);
      status = errors.internal(error instanceof Error ? error.message : String(error)).status;
    }
    const seconds = status.details?.retryAfterSeconds;
    const warnings = warningHeaders(error instanceof ApiError ? error.warnings : []);
    const { contentType, text } = formattedStatus(status, this.#wishes);
    this.#send(status.code ?? 500, contentType, text, {
      ...warnings,
      ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
      ...(error instanceof AccessRefused ? { 'x-content-type-options': 'nosniff' } : {}),
    });
  }

  #body(code: number, json: string, form: Form, warnings: readonly string[]): void {
    const { contentType, text } = formatted(json, form);
    this.#send(code, contentType, text, warningHeaders(warnings));
  }

  #headers(contentType: string): Record<string, string> {
    const { clock } = this.parts.context;
    const auditId = this.request.headers['audit-id'];
    return {
      'audit-id': typeof auditId === 'string' && auditId !== '' ? auditId : this.parts.auditId(),
      'cache-control': 'no-cache, private',
      'content-type': contentType,
      date: httpDate(clock),
      ...(this.#isClassified ? this.parts.flowControlHeaders : {}),
    };
  }

  #send(status: number, contentType: string, text: string | Buffer, extra: Record<string, string | string[]>): void {
    if (this.#faults.has('loseAnswer')) {
      this.#stream.reset();
      return;
    }
    this.#answered(status);
    const headers: Record<string, string | string[]> = { ...this.#headers(contentType), ...extra };
    // An answer without a body has no type.
    if (contentType === '') delete headers['content-type'];
    const unheeded = authorizationWarning(this.request.headers.authorization);
    if (unheeded !== undefined) {
      headers['warning'] = [...Object.values(warningHeaders([unheeded])), headers['warning'] ?? []].flat(2);
    }
    let body: string | Buffer = text;
    // A text takes its headers along as UTF-8, which those of warnings are already.
    if (typeof body === 'string' && (body.length > shortest || headers['warning'] !== undefined)) {
      body = Buffer.from(body);
    }
    const corruption = this.#faults.find('corrupt');
    if (corruption !== undefined) body = corrupted(asBytes(body), corruption.how ?? 'truncate');
    const compressed = gzipped(body, this.request.headers['accept-encoding']);
    if (compressed !== undefined) {
      body = compressed;
      headers['content-encoding'] = 'gzip';
      headers['vary'] = 'Accept-Encoding';
    }
    if (this.request.method === 'HEAD') body = '';
    const length = Buffer.byteLength(body);
    if (this.request.method !== 'HEAD' && !this.#faults.has('rechunk')) headers['content-length'] = String(length);
    this.#record.bytes = length;
    this.#stream.head(status, headers);
    this.#stream.finish(body);
    // `close` of a response comes when all of it was handed over, or the connection broke.
  }

  #faultRequest(): FaultRequest {
    const { method, path, verb, group, resource, namespace, name, subresource, user, query } = this.#record;
    return { method, path, verb, group, resource, namespace, name, subresource, user, query };
  }
}

const asBytes = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body);
