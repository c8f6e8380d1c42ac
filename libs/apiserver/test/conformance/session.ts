import { Normaliser, type NormalAnswer } from './normalise.js';
import { send, type Exchange, type RawAnswer, type Target } from './target.js';

export type CaseBody = (session: Session) => Promise<void>;

/** Something that a client can see of an API server. */
export interface ConformanceCase {
  readonly group: string;
  readonly name: string;
  readonly run: CaseBody;
  /** Why the embedded server answers otherwise; such a case must differ. */
  readonly divergence?: string;
  /** Answers are compared with their managed fields. */
  readonly managedFields?: boolean;
}

/** Collects the cases of a group. */
export function group(
  name: string,
  { managedFields = false }: { readonly managedFields?: boolean } = {},
): {
  readonly cases: ConformanceCase[];
  add(name: string, run: CaseBody, divergence?: string): void;
} {
  const cases: ConformanceCase[] = [];
  return {
    cases,
    add: (title, run, divergence) => {
      cases.push({ group: name, name: title, run, managedFields, ...(divergence === undefined ? {} : { divergence }) });
    },
  };
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export interface Read extends RawAnswer {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** One case on one server: it has a namespace of its own, and everything it is answered is written down. */
export class Session {
  readonly transcript: { request: string; answer: NormalAnswer }[] = [];
  readonly widgets: string;
  readonly configMaps: string;
  readonly #normaliser: Normaliser;
  readonly #leftovers: string[] = [];

  constructor(
    readonly target: Target,
    readonly namespace: string,
    managedFields: boolean,
  ) {
    this.widgets = `/apis/conformance.example.com/v1/namespaces/${namespace}/widgets`;
    this.configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
    this.#normaliser = new Normaliser(new Map([[namespace, '<namespace>']]), managedFields);
  }

  get(path: string, accept?: string): Promise<Read> {
    return this.request('GET', path, accept === undefined ? {} : { accept });
  }

  post(path: string, body: unknown, contentType?: string): Promise<Read> {
    return this.request('POST', path, contentType === undefined ? { body } : { body, contentType });
  }

  put(path: string, body: unknown): Promise<Read> {
    return this.request('PUT', path, { body });
  }

  patch(type: keyof typeof patchTypes | 'text/plain', path: string, body: unknown): Promise<Read> {
    return this.request('PATCH', path, { body, contentType: type === 'text/plain' ? type : patchTypes[type] });
  }

  delete(path: string, body?: unknown): Promise<Read> {
    return this.request('DELETE', path, { body });
  }

  /** Reads a watch until it ends, or has carried so many lines. */
  watch(path: string, lines?: number): Promise<Read> {
    return this.request('GET', path, {}, lines);
  }

  /** Sends something whose answer is of no interest. */
  async quietly(method: string, path: string, body?: unknown, contentType?: string): Promise<Read> {
    const answer = await send(this.target, {
      method,
      path,
      body,
      ...(contentType === undefined ? {} : { contentType }),
    });
    return { ...answer, json: parsed(answer.text) };
  }

  /** Has something outside the case's namespace deleted at its end. */
  leave(path: string): void {
    this.#leftovers.push(path);
  }

  /** Deletes what the case left outside its namespace. */
  async end(): Promise<void> {
    for (const path of this.#leftovers.splice(0).toReversed()) await send(this.target, { method: 'DELETE', path });
  }

  /** Sends one request, and writes its answer down. */
  async request(
    method: string,
    path: string,
    options: Omit<Exchange, 'method' | 'path'> = {},
    lines?: number,
  ): Promise<Read> {
    const answer = await send(this.target, { method, path, ...options }, lines);
    const shown = path
      .replaceAll(this.namespace, '<namespace>')
      .replaceAll(/resourceVersion=(?!(?:0|1|5|9{8})\b)\d+/g, 'resourceVersion=<n>');
    this.transcript.push({
      request: `${method} ${shown.replaceAll(/continue=[\w-]{60,}/g, 'continue=<token>')}`,
      answer: this.#normaliser.answer(answer),
    });
    return { ...answer, json: parsed(answer.text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A watch or plain text; a case that needs JSON fails on what it looks for.
    return undefined;
  }
}
