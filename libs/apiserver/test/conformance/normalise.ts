import type { RawAnswer, StreamEnd } from './target.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What is kept of an answer that is one document, or a text. */
export interface NormalAnswer {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

/** What is kept of a stream: its lines in order, and how it was over (`error`: by its end, after an ERROR line). */
export interface NormalStream {
  status: number;
  headers: Record<string, string>;
  lines: Json[];
  end: StreamEnd | 'error';
}

/** What is written down in the course of a case. */
export type Entry =
  | { readonly request: string; readonly answer: NormalAnswer }
  | { readonly request: string; readonly stream: NormalStream }
  | { readonly note: string; readonly value: Json };

/** An entry before it is made comparable. */
export type RawEntry =
  | { readonly request: string; readonly answer: RawAnswer; readonly end?: StreamEnd }
  | { readonly note: string; readonly value: Json };

const keptHeaders = ['content-type', 'content-encoding', 'cache-control', 'vary', 'retry-after', 'warning', 'allow'];
/** Headers whose values differ by nature. */
const presentHeaders = ['etag', 'audit-id'];
/** Every header that is looked at. */
export const comparedHeaders: readonly string[] = [...keptHeaders, ...presentHeaders];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const times = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'time']);

// Present since Node 21, not yet in the TypeScript library that the project compiles against.
const parse = JSON.parse as unknown as (
  text: string,
  reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
) => Json;

/** Numbers that a double does not hold, or that are written in another way than JavaScript writes them, stay texts. */
const parseExactly = (text: string): Json =>
  parse(text, (_, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? `<number ${source}>` : value,
  );

/**
 * Makes what was written down in a case comparable between servers and runs: uids get names in order of appearance,
 * versions of objects their rank among all that were seen, times and tokens a word.
 */
export function normalise(entries: readonly RawEntry[], names: ReadonlyMap<string, string>): Entry[] {
  return new Normaliser(entries, names).entries();
}

class Normaliser {
  readonly #uids = new Map<string, string>();
  readonly #versions: readonly bigint[];
  readonly #parsed: readonly Parsed[];

  constructor(
    entries: readonly RawEntry[],
    private readonly names: ReadonlyMap<string, string>,
  ) {
    this.#parsed = entries.map(parseEntry);
    const versions = new Set<string>();
    for (const { documents } of this.#parsed) for (const document of documents) collectVersions(document, versions);
    this.#versions = [...versions].map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  entries(): Entry[] {
    return this.#parsed.map(({ entry, documents }) => {
      if ('note' in entry) return { note: entry.note, value: this.#value(documents[0]!) };
      const { answer } = entry;
      const request = this.#named(entry.request);
      const head = { status: answer.status, headers: this.#headers(answer.headers) };
      const values = documents.map((document) => this.#value(document));
      if (entry.end === undefined) return { request, answer: { ...head, body: values[0]! } };
      const failed = (values.at(-1) as { type?: Json } | undefined)?.type === 'ERROR';
      return { request, stream: { ...head, lines: values, end: failed && entry.end === 'end' ? 'error' : entry.end } };
    });
  }

  #headers(headers: RawAnswer['headers']): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const name of keptHeaders) {
      if (headers[name] !== undefined) kept[name] = orderedWarnings(this.#text(String(headers[name])));
    }
    for (const name of presentHeaders) if (headers[name] !== undefined) kept[name] = `<${name}>`;
    return kept;
  }

  #value(value: Json, key = '', parent: { [key: string]: Json } = {}): Json {
    if (Array.isArray(value)) {
      const items = value.map((item) =>
        this.#value(item, key === 'cells' ? 'cell' : key === 'columnDefinitions' ? key : ''),
      );
      return key === 'managedFields' ? orderedManagers(items) : items;
    }
    if (typeof value === 'string') return this.#text(value, key, parent);
    if (typeof value !== 'object' || value === null) return value;
    const out: { [key: string]: Json } = {};
    for (const name of Object.keys(value).sort()) {
      if (name === 'storageVersionHash') continue;
      // Managed fields have uids in their names.
      const shown = name.startsWith('k:') ? this.#text(name) : name;
      out[shown] = this.#value(value[name]!, name, value);
    }
    // What columns are about is told in prose, to each server's liking.
    if (key === 'columnDefinitions') out['description'] = '<description>';
    return out['kind'] === 'Status' ? orderedCauses(out) : out;
  }

  #text(text: string, key = '', parent: { [key: string]: Json } = {}): string {
    if (times.has(key) && time.test(text)) return '<time>';
    if (key === 'resourceVersion' && /^\d+$/.test(text)) return this.#version(text, parent['uid'] !== undefined);
    if (key === 'continue' && text !== '') return '<token>';
    if (key === 'cell' && /^\d+s$/.test(text)) return '<age>';
    return (
      this.#named(text)
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) => this.#uid(uid))
        .replace(/current: \d+/, 'current: <n>')
        .replace(/(too old resource version: \d+) \(\d+\)/, '$1 (<n>)')
        .replace(/ResourceVersion in record \(\d+\)/, 'ResourceVersion in record (<n>)')
        // A patched object that cannot be decoded is quoted as a whole, by Go's order of members.
        .replaceAll(/Invalid value: "\{\\"(?:[^"\\]|\\.)*"/g, 'Invalid value: "<object>"')
        // Objects that are quoted in messages.
        .replaceAll(/(resourceVersion\\?":\\?")\d+/g, '$1<version>')
        .replaceAll(/((?:creationTimestamp|deletionTimestamp|time)\\?":\\?")\d{4}-[^"\\]+/g, '$1<time>')
        .replaceAll(/selfType\d+/g, 'selfType<n>')
        .replace(/^\d+\.\d+\.\d+\.\d+:\d+$/, '<address>')
    );
  }

  #named(text: string): string {
    let out = text;
    for (const [found, shown] of this.names) out = out.replaceAll(found, shown);
    return out;
  }

  #uid(uid: string): string {
    const name = this.#uids.get(uid) ?? `<uid ${this.#uids.size + 1}>`;
    this.#uids.set(uid, name);
    return name;
  }

  /** That of a list or a bookmark also counts what others write, so it is only known which objects' it lies behind. */
  #version(text: string, ofObject: boolean): string {
    const rank = this.#versions.filter((version) => version <= BigInt(text)).length;
    return ofObject ? `<version ${rank}>` : rank === 0 ? '<version>' : `<version ${rank} or later>`;
  }
}

interface Parsed {
  readonly entry: RawEntry;
  /** The lines of a stream, the one document of an answer, or its text. */
  readonly documents: readonly Json[];
}

function parseEntry(entry: RawEntry): Parsed {
  if ('note' in entry) return { entry, documents: [entry.value] };
  const { text } = entry.answer;
  if (entry.end === undefined) return { entry, documents: [jsonOr(text)] };
  return {
    entry,
    documents: text
      .split('\n')
      .filter((line) => line !== '')
      .map(jsonOr),
  };
}

function jsonOr(text: string): Json {
  try {
    return parseExactly(text);
  } catch {
    // Plain text, such as that of unknown paths; or half a line.
    return text;
  }
}

function collectVersions(value: Json, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectVersions(item, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const { uid, resourceVersion } = value;
  if (uid !== undefined && typeof resourceVersion === 'string' && /^\d+$/.test(resourceVersion)) {
    found.add(resourceVersion);
  }
  for (const item of Object.values(value)) collectVersions(item, found);
}

/** Like causes, warnings about values that were invalid before come in an order that changes from run to run. */
const orderedWarnings = (header: string): string =>
  header.includes(': Invalid value: ')
    ? header
        .split(/, (?=299 - ")/)
        .toSorted()
        .join(', ')
    : header;

/** They come ordered by time, in whole seconds, so that it would depend on the moment who comes first. */
function orderedManagers(entries: readonly Json[]): Json[] {
  const key = (entry: Json): string => {
    const { operation, manager, subresource, apiVersion } = entry as { [key: string]: Json };
    return JSON.stringify([operation, manager, subresource, apiVersion]);
  };
  return entries.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The real server lists causes in an order that changes from run to run, in the message as well. */
function orderedCauses(status: { [key: string]: Json }): Json {
  const details = status['details'] as { causes?: Json[] } | undefined;
  const causes = details?.causes;
  if (causes === undefined || causes.length < 2) return status;
  const ordered = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const message = (status['message'] as string).replace(/ is invalid: .*$/s, ' is invalid: <causes>');
  return { ...status, message, details: { ...(details as object), causes: ordered } };
}
