import { comparedHeaders, type Entry, type Json, type RawEntry } from './normalise.js';

/** Changes what a server said in one place; undefined when there is no such place. */
export type Alteration = (entries: readonly RawEntry[]) => RawEntry[] | undefined;

type Answered = Extract<RawEntry, { request: string }>;
type Members = { [key: string]: Json };

/** What no comparison looks at, since it differs by nature. */
const unseen = new Set(['uid', 'resourceVersion', 'continue', 'creationTimestamp', 'deletionTimestamp', 'time']);
/** Whose order is the server's own affair. */
const unordered = new Set(['causes', 'managedFields']);

/** Each kind of field of an answer, altered in the first place where it is found. */
export const alterations: Readonly<Record<string, Alteration>> = {
  status: answered((entry) => withAnswer(entry, { status: entry.answer.status + 1 })),
  ...Object.fromEntries(comparedHeaders.map((name) => [`header ${name}, missing or too many`, header(name, toggled)])),
  ...Object.fromEntries(
    ['content-type', 'cache-control', 'warning', 'retry-after'].map((name) => [
      `header ${name}, another`,
      header(name, (value) => (value === undefined ? undefined : `${value}, other`)),
    ]),
  ),
  'a string': leaf((value) => (typeof value === 'string' ? `${value}, other` : undefined)),
  'a number': leaf((value) => (typeof value === 'number' ? value + 1 : undefined)),
  'a number as text': leaf((value) => (typeof value === 'number' ? String(value) : undefined)),
  'a boolean': leaf((value) => (typeof value === 'boolean' ? !value : undefined)),
  null: leaf((value) => (value === null ? 0 : undefined)),
  'null in place of a value': leaf((value) => (value === null ? undefined : null)),
  'the order of a list': list((items) => {
    const at = items.findIndex((item, index) => index > 0 && JSON.stringify(item) !== JSON.stringify(items[0]));
    return at < 0 ? undefined : [items[at]!, ...items.slice(1, at), items[0]!, ...items.slice(at + 1)];
  }),
  'a list, shorter': list((items) => (items.length === 0 ? undefined : items.slice(0, -1))),
  'a list, longer': list((items) => [...items, 'other']),
  'a member less': members((object) => {
    const key = Object.keys(object).find((name) => !unseen.has(name));
    return key === undefined ? undefined : Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  }),
  'a member more': members((object) => ({ ...object, other: 1 })),
  'a time that is missing': members((object) => without(object, 'creationTimestamp')),
  'a time that is none': members((object) =>
    'creationTimestamp' in object ? { ...object, creationTimestamp: 'yesterday' } : undefined,
  ),
  'no token to go on with': members((object) =>
    (object['continue'] ?? '') === '' ? undefined : { ...object, continue: '' },
  ),
  'no version': members((object) => without(object, 'resourceVersion')),
  'no uid': members((object) => without(object, 'uid')),
  'a manager less': value((json, key) => (isFull(json, key, 'managedFields') ? json.slice(1) : undefined)),
  'another manager': value((json, key) => (key === 'manager' ? 'other' : undefined)),
  'a field that is owned as well': value((json, key) =>
    key === 'fieldsV1' ? { ...(json as Members), 'f:other': {} } : undefined,
  ),
  'a cause less': value((json, key) => (isFull(json, key, 'causes') ? json.slice(1) : undefined)),
  'a text in place of a document': answered((entry) =>
    entry.end === undefined && entry.answer.text.startsWith('{') ? withText(entry, 'other') : undefined,
  ),
  'the order of a stream': stream((lines) => {
    const at = lines.findIndex((line, index) => index > 0 && line !== lines[0]);
    return at < 0 ? undefined : [lines[at]!, ...lines.slice(1, at), lines[0]!, ...lines.slice(at + 1)];
  }),
  'a line less': stream((lines) => (lines.length === 0 ? undefined : lines.slice(1))),
  'a line twice': stream((lines) => (lines.length === 0 ? undefined : [lines[0]!, ...lines])),
  'half a line': stream((lines) => [...lines, '{"type":"ADD']),
  'the type of an event': stream((lines) => {
    const altered = lines.map((line) => line.replace(/"type":"(ADDED|MODIFIED|DELETED|BOOKMARK)"/, '"type":"OTHER"'));
    return altered.join() === lines.join() ? undefined : altered;
  }),
  'a stream that is lost': end('end', 'reset'),
  'a stream that goes on': end('end', 'left'),
  'a stream that ends': end('left', 'end'),
  'an error that does not come': stream((lines) =>
    lines.at(-1)?.includes('"type":"ERROR"') === true ? lines.slice(0, -1) : undefined,
  ),
  'an answer less': (entries) => entries.slice(1),
  'an answer twice': (entries) => [entries[0]!, ...entries],
  'a note': (entries) => {
    const at = entries.findIndex((entry) => 'note' in entry);
    return at < 0 ? undefined : entries.with(at, { note: (entries[at] as { note: string }).note, value: 'other' });
  },
  'another object under a uid': later('uid', (text, seen) => (seen.includes(text) ? `${text}-other` : undefined)),
  'a version that does not rise': later('resourceVersion', (text, seen) => {
    const before = seen.at(-1);
    return before === undefined || before === text ? undefined : before;
  }),
};

/** A record in the form that answers have before they are made comparable. */
export function rawEntries(entries: readonly Entry[]): RawEntry[] {
  const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return entries.map((entry) => {
    if ('note' in entry) return entry;
    if ('answer' in entry) {
      const { status, headers, body } = entry.answer;
      return { request: entry.request, answer: { status, headers, text: text(body) } };
    }
    const { status, headers, lines, end: how } = entry.stream;
    return {
      request: entry.request,
      answer: { status, headers, text: lines.map(text).join('\n') },
      end: how === 'error' ? 'end' : how,
    };
  });
}

const isFull = (json: Json, key: string, name: string): json is Json[] =>
  key === name && Array.isArray(json) && json.length > 0;

/** Undefined where there is no such member. */
function without(object: Members, name: string): Members | undefined {
  const { [name]: value, ...others } = object;
  return value === undefined ? undefined : others;
}

const withText = (entry: Answered, text: string): Answered => withAnswer(entry, { text });
const withAnswer = (entry: Answered, change: Partial<Answered['answer']>): Answered => ({
  ...entry,
  answer: { ...entry.answer, ...change },
});

/** Alters the first answer that can be altered. */
function answered(alter: (entry: Answered) => Answered | undefined): Alteration {
  return (entries) => {
    for (const [at, entry] of entries.entries()) {
      const altered = 'answer' in entry ? alter(entry) : undefined;
      if (altered !== undefined) return entries.with(at, altered);
    }
    return undefined;
  };
}

/** Undefined leaves the header alone, null takes it away. */
function header(name: string, alter: (value: string | undefined) => string | null | undefined): Alteration {
  return answered((entry) => {
    const { [name]: given, ...others } = entry.answer.headers;
    const value = alter(given === undefined ? undefined : String(given));
    if (value === undefined) return undefined;
    return withAnswer(entry, { headers: value === null ? others : { ...others, [name]: value } });
  });
}

function toggled(value: string | undefined): string | null {
  return value === undefined ? 'other' : null;
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function stream(alter: (texts: string[]) => string[] | undefined): Alteration {
  return answered((entry) => {
    if (entry.end === undefined) return undefined;
    const altered = alter(lines(entry.answer.text));
    return altered === undefined ? undefined : withText(entry, altered.join('\n'));
  });
}

function end(from: NonNullable<Answered['end']>, to: NonNullable<Answered['end']>): Alteration {
  return answered((entry) => (entry.end === from ? { ...entry, end: to } : undefined));
}

/** Alters the first value in a document that `alter` has another one for. */
function value(alter: (value: Json, key: string) => Json | undefined): Alteration {
  const within = (json: Json, key: string): Json | undefined => {
    const altered = alter(json, key);
    if (altered !== undefined) return altered;
    if (typeof json !== 'object' || json === null) return undefined;
    for (const [name, item] of Object.entries(json)) {
      if (unseen.has(name)) continue;
      const inner = within(item as Json, Array.isArray(json) ? key : name);
      if (inner === undefined) continue;
      return Array.isArray(json) ? json.with(Number(name), inner) : { ...json, [name]: inner };
    }
    return undefined;
  };
  return answered((entry) => {
    const texts = entry.end === undefined ? [entry.answer.text] : lines(entry.answer.text);
    for (const [at, text] of texts.entries()) {
      if (!/^[[{]/.test(text)) continue;
      const altered = within(JSON.parse(text) as Json, '');
      if (altered !== undefined) return withText(entry, texts.with(at, JSON.stringify(altered)).join('\n'));
    }
    return undefined;
  });
}

function leaf(alter: (value: Json) => Json | undefined): Alteration {
  return value((json) => (typeof json === 'object' && json !== null ? undefined : alter(json)));
}

function list(alter: (items: Json[]) => Json[] | undefined): Alteration {
  return value((json, key) => (Array.isArray(json) && !unordered.has(key) ? alter(json) : undefined));
}

function members(alter: (object: Members) => Members | undefined): Alteration {
  return value((json) => (typeof json === 'object' && json !== null && !Array.isArray(json) ? alter(json) : undefined));
}

/** Alters a member of an object's metadata in an answer after the first, knowing what the answers before it had there. */
function later(
  member: 'uid' | 'resourceVersion',
  alter: (text: string, seen: readonly string[]) => string | undefined,
): Alteration {
  return (entries) => {
    const seen: string[] = [];
    for (const [at, entry] of entries.entries()) {
      if (!('answer' in entry) || entry.end !== undefined || !entry.answer.text.startsWith('{')) continue;
      const document = JSON.parse(entry.answer.text) as { metadata?: Members };
      const { metadata } = document;
      if (metadata?.['uid'] === undefined) continue;
      const text = metadata[member];
      if (typeof text !== 'string') continue;
      const altered = alter(text, seen);
      if (altered !== undefined) {
        return entries.with(
          at,
          withText(entry, JSON.stringify({ ...document, metadata: { ...metadata, [member]: altered } })),
        );
      }
      seen.push(text);
    }
    return undefined;
  };
}
