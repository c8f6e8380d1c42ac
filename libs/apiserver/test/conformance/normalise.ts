import type { RawAnswer } from './target.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What is kept of an answer. */
export interface NormalAnswer {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

const keptHeaders = ['content-type', 'retry-after', 'warning'];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const times = new Set(['creationTimestamp', 'deletionTimestamp', 'lastTransitionTime', 'time']);

/** Makes the answers of one case comparable between servers: what differs by nature gets a name in order of appearance. */
export class Normaliser {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  /**
   * @param names - texts that differ between runs, with what stands for them
   * @param managedFields - whether they are kept
   */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly managedFields: boolean,
  ) {}

  answer({ status, headers, text }: RawAnswer): NormalAnswer {
    const kept = Object.fromEntries(
      keptHeaders.filter((name) => headers[name] !== undefined).map((name) => [name, String(headers[name])]),
    );
    return { status, headers: this.#value(kept) as Record<string, string>, body: this.#body(text) };
  }

  #body(text: string): Json {
    const lines = text.startsWith('{\n') ? [text] : text.split('\n').filter((line) => line !== '');
    try {
      const documents = lines.map((line) => this.#value(JSON.parse(line) as Json));
      return text.startsWith('{"type":') ? documents : (documents[0] ?? null);
    } catch {
      // Plain text, such as that of unknown paths.
      return text;
    }
  }

  #value(value: Json, key = '', parent: { [key: string]: Json } = {}): Json {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, key));
    if (typeof value === 'string') return this.#text(value, key, parent);
    if (typeof value !== 'object' || value === null) return value;
    const out: { [key: string]: Json } = {};
    for (const name of Object.keys(value).sort()) {
      if ((name === 'managedFields' && !this.managedFields) || name === 'storageVersionHash') continue;
      out[name] = this.#value(value[name]!, name, value);
    }
    return out['kind'] === 'Status' ? orderedCauses(out) : out;
  }

  #text(text: string, key: string, parent: { [key: string]: Json }): string {
    if (times.has(key) && time.test(text)) return '<time>';
    if (key === 'resourceVersion' && /^\d+$/.test(text)) {
      // The version of a list or a bookmark also counts what others write.
      return parent['uid'] === undefined ? '<version>' : name(this.#versions, text, 'version');
    }
    if (key === 'continue' && text !== '') return '<token>';
    let out = text;
    for (const [found, shown] of this.names) out = out.replaceAll(found, shown);
    return out
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) => name(this.#uids, uid, 'uid'))
      .replace(/current: \d+/, 'current: <n>')
      .replace(/(too old resource version: \d+) \(\d+\)/, '$1 (<n>)')
      .replace(/ResourceVersion in record \(\d+\)/, 'ResourceVersion in record (<n>)');
  }
}

function name(known: Map<string, string>, value: string, what: string): string {
  const given = known.get(value) ?? `<${what} ${known.size + 1}>`;
  known.set(value, given);
  return given;
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
