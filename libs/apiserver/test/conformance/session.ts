import type { Alteration } from './alterations.js';
import type { Group } from './case-list.js';
import { normalise, type Entry, type Json, type RawEntry } from './normalise.js';
import { open, send, type AnswerReader, type Exchange, type RawAnswer, type StreamEnd, type Target } from './target.js';

export type CaseBody = (session: Session) => Promise<void>;

/** Something that a client can see of an API server. */
export interface ConformanceCase {
  readonly group: Group;
  readonly name: string;
  readonly run: CaseBody;
  /** What it does to the server would be noticed by other cases, such as a compaction. */
  readonly alone?: boolean;
}

/** Collects the cases of a group. */
export function group(name: Group): {
  readonly cases: ConformanceCase[];
  add(name: string, run: CaseBody, options?: { readonly alone?: boolean }): void;
} {
  const cases: ConformanceCase[] = [];
  return {
    cases,
    add: (title, run, options = {}) => void cases.push({ group: name, name: title, run, ...options }),
  };
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export type RequestOptions = Omit<Exchange, 'method' | 'path'>;

export interface Read extends RawAnswer {
  // eslint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** A watch that is open while the case goes on. */
export interface OpenStream {
  /** Waits until so many lines have come, and goes on. */
  wait(lines: number): Promise<void>;
  /** Writes down what came until so many lines were there, or until the end. */
  take(lines: number): Promise<Read>;
  /** Writes down what came until the end. */
  over(): Promise<Read>;
  /** Reads until a line is the last one of interest, or until the end, and writes nothing down. */
  read(last?: (line: string, at: number, lines: readonly string[]) => boolean): Promise<Read>;
}

/** One case on one server: it has a namespace of its own, and everything it is answered is written down. */
export class Session {
  readonly widgets: string;
  readonly configMaps: string;
  readonly #entries: RawEntry[] = [];
  readonly #leftovers: string[] = [];
  readonly #owned: (() => Promise<void>)[] = [];
  readonly #names: Map<string, string>;
  readonly #open = new Set<AnswerReader>();

  constructor(
    readonly target: Target,
    readonly namespace: string,
  ) {
    this.#names = new Map([[namespace, '<namespace>']]);
    this.widgets = `/apis/conformance.example.com/v1/namespaces/${namespace}/widgets`;
    this.configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  }

  /** Everything that was written down, in a form that servers and runs have in common. */
  transcript(alter?: Alteration): Entry[] {
    return normalise(alter?.(this.#entries) ?? this.#entries, this.#names);
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

  /** Reads a stream until it ends, or has carried so many lines. */
  async watch(path: string, lines = Infinity, options: RequestOptions = {}): Promise<Read> {
    const stream = await this.open(path, options);
    return stream.take(lines);
  }

  /** Opens a stream; what it carries is written down when it is taken. */
  async open(path: string, options: RequestOptions = {}): Promise<OpenStream> {
    const reader = await open(this.target, { method: 'GET', path, ...options });
    this.#open.add(reader);
    const taken = (text: string, end: StreamEnd): Read & { end: StreamEnd } => {
      this.#open.delete(reader);
      const { status, headers } = reader;
      return { status, headers, text, json: parsed(text), end };
    };
    const take = async (lines: number): Promise<Read> => {
      const end = await reader.enough((come) => come.filter(isPromised).length >= lines);
      const promised = reader.text.split('\n').filter(isPromised);
      // More lines may have come with the last one that was waited for.
      const text = (end === 'left' ? promised.slice(0, lines) : promised).join('\n');
      const answer = taken(text, end);
      this.#entries.push({ request: this.#shown('GET', path), answer, ...(answer.status === 200 ? { end } : {}) });
      return answer;
    };
    const read: OpenStream['read'] = async (last = () => false) => {
      const end = await reader.enough((lines) => lines.some(last));
      const lines = reader.text.split('\n');
      const count = lines.findIndex(last) + 1;
      return taken(count === 0 ? reader.text : firstLines(reader.text, count), end);
    };
    return { wait: (count) => reader.seen((lines) => lines.length >= count), take, over: () => take(Infinity), read };
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

  /** Reads something in the form asked for, and writes nothing down. */
  async quietlyAccepting(path: string, accept: string, headers: RequestOptions['headers'] = {}): Promise<Read> {
    const answer = await send(this.target, { method: 'GET', path, accept, headers });
    return { ...answer, json: parsed(answer.text) };
  }

  /** Asks for something until it is as the case wants it, and writes nothing down. */
  async until(path: string, holds: (read: Read) => boolean): Promise<Read> {
    const end = Date.now() + 60_000;
    for (;;) {
      const read = await this.quietly('GET', path);
      if (holds(read)) return read;
      if (Date.now() > end) throw new Error(`after 60 s the case still waits for ${path}: ${read.status} ${read.text}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** The version of what is at a path, of which nothing is written down. */
  async version(path: string): Promise<string> {
    return (await this.quietly('GET', path)).json.metadata.resourceVersion as string;
  }

  /** Writes down what the case found out in another way. */
  note(what: string, value: unknown): void {
    this.#entries.push({ note: what, value: (JSON.parse(JSON.stringify(value) ?? 'null') as Json) ?? null });
  }

  /** Says what stands in the transcript for a text that differs between runs. */
  call(text: string, shown: string): void {
    this.#names.set(text, shown);
  }

  /** Has something ended with the case. */
  own(end: () => Promise<void>): void {
    this.#owned.push(end);
  }

  /** Has something outside the case's namespace deleted at its end. */
  leave(path: string): void {
    this.#leftovers.push(path);
  }

  /** Leaves the streams that are open, and deletes what the case left outside its namespace. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((reader) => reader.lines(0)));
    for (const path of this.#leftovers.splice(0).toReversed()) await send(this.target, { method: 'DELETE', path });
    for (const end of this.#owned.splice(0).toReversed()) await end();
  }

  /** Sends one request, and writes its answer down. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Read> {
    const answer = await send(this.target, { method, path, ...options });
    this.#entries.push({ request: this.#shown(method, path), answer });
    return { ...answer, json: parsed(answer.text) };
  }

  #shown(method: string, path: string): string {
    const shown = path
      .replaceAll(this.namespace, '<namespace>')
      .replaceAll(/resourceVersion=(?!(?:0|1|5|9{8})\b)\d+/g, 'resourceVersion=<n>')
      .replaceAll(/continue=[\w-]{60,}/g, 'continue=<token>');
    return `${method} ${shown}`;
  }
}

/** The real server sends bookmarks when it likes to; only the one that ends the initial events is sure to come. */
const isPromised = (line: string): boolean =>
  !line.startsWith('{"type":"BOOKMARK"') || line.includes('k8s.io/initial-events-end');

const firstLines = (text: string, count: number): string => text.split('\n').slice(0, count).join('\n');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // A stream or plain text; a case that needs JSON fails on what it looks for.
    return undefined;
  }
}
