import { goQuote } from '../cel/library/go-quote.js';
import { clone, deepEqual, isObject, isTooDeep, setKey, type JsonObject } from '../json.js';

export interface JsonPatchOperation {
  op?: unknown;
  path?: unknown;
  from?: unknown;
  value?: unknown;
}

/** What all copies of one patch may add up to, in characters of JSON; else a few operations could fill the memory. */
const mostCopied = 3 * 1024 * 1024;

/** An operation that could not be carried out. The message is that of the library that the real server uses. */
export class JsonPatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'JsonPatchError';
  }
}

const missing = 'missing value';
const fail = (message: string): never => {
  throw new JsonPatchError(message);
};

/** Where a pointer leads: the object or array that holds the value, and the value's key in it. */
interface Place {
  readonly holder: JsonObject | unknown[];
  readonly key: string;
}

/** Applies a JSON patch to a copy of the document, as the library that the real server uses: more leniently than RFC 6902. */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const patching = new Patching(clone(document));
  for (const operation of operations) patching.carryOut(operation);
  if (isTooDeep(patching.root)) fail('the document is nested too deep');
  return patching.root;
}

class Patching {
  #copied = 0;

  constructor(public root: unknown) {}

  carryOut(operation: JsonPatchOperation): void {
    const { op } = operation;
    switch (op) {
      case 'add':
        return this.#add(textOf(operation, 'path'), operation.value);
      case 'remove':
        return this.#remove(textOf(operation, 'path'));
      case 'replace':
        return this.#replace(textOf(operation, 'path'), operation.value);
      case 'move':
        return this.#move(textOf(operation, 'from'), textOf(operation, 'path'));
      case 'copy':
        return this.#copy(textOf(operation, 'from'), textOf(operation, 'path'));
      case 'test':
        return this.#test(textOf(operation, 'path'), operation.value);
      default:
        fail(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
    }
  }

  #add(path: string, value: unknown): void {
    const { holder, key } =
      this.#find(path) ?? fail(`add operation does not apply: doc is missing path: ${goQuote(path)}: ${missing}`);
    insert(holder, key, valueOf(value), `error in add for path: '${path}'`);
  }

  #remove(path: string): void {
    const { holder, key } =
      this.#find(path) ?? fail(`remove operation does not apply: doc is missing path: ${goQuote(path)}: ${missing}`);
    take(holder, key, `error in remove for path: '${path}'`);
  }

  #replace(path: string, value: unknown): void {
    if (path === '') {
      this.root = valueOf(value);
      return;
    }
    const { holder, key } =
      this.#find(path) ?? fail(`replace operation does not apply: doc is missing path: ${path}: ${missing}`);
    // A member that is absent is added.
    if (!Array.isArray(holder)) setKey(holder, key, valueOf(value));
    else {
      const at = indexOf(key, holder.length);
      if (typeof at === 'string') fail(`replace operation does not apply: doc is missing key: ${path}: ${missing}`);
      holder[at as number] = valueOf(value);
    }
  }

  #move(from: string, path: string): void {
    const source =
      this.#find(from) ?? fail(`move operation does not apply: doc is missing from path: ${from}: ${missing}`);
    const value = get(source, `error in move for path: '${from}'`);
    take(source.holder, source.key, `error in move for path: '${source.key}'`);
    const { holder, key } =
      this.#find(path) ?? fail(`move operation does not apply: doc is missing destination path: ${path}: ${missing}`);
    insert(holder, key, value, `error in move for path: '${path}'`);
  }

  #copy(from: string, path: string): void {
    const source =
      this.#find(from) ?? fail(`copy operation does not apply: doc is missing from path: ${from}: ${missing}`);
    const value = get(source, `error in copy for from: '${from}'`) ?? null;
    const { holder, key } =
      this.#find(path) ?? fail(`copy operation does not apply: doc is missing destination path: ${path}: ${missing}`);
    if (isTooDeep(value)) fail('the value is nested too deep');
    this.#copied += JSON.stringify(value).length;
    if (this.#copied > mostCopied) fail(`more than ${mostCopied} characters are copied`);
    insert(holder, key, clone(value), `error while adding value during copy`);
  }

  #test(path: string, value: unknown): void {
    let found = this.root;
    if (path !== '') {
      const place = this.#find(path) ?? fail(`test operation does not apply: is missing path: ${path}: ${missing}`);
      found = get(place, `error in test for path: '${path}'`);
    }
    // A test for null also holds where the member is absent.
    if (!deepEqual(found ?? null, value ?? null)) fail(`testing value ${path} failed: test failed`);
  }

  /** What holds the value of a pointer; undefined where a part before the last leads nowhere. */
  #find(path: string): Place | undefined {
    const [, ...parts] = path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = parts.pop();
    let holder = this.root;
    for (const part of parts) {
      if (Array.isArray(holder)) {
        const at = indexOf(part, holder.length);
        holder = typeof at === 'string' ? undefined : (holder as unknown[])[at];
      } else holder = isObject(holder) && Object.hasOwn(holder, part) ? holder[part] : undefined;
    }
    return key !== undefined && (Array.isArray(holder) || isObject(holder)) ? { holder, key } : undefined;
  }
}

function textOf(operation: JsonPatchOperation, member: 'path' | 'from'): string {
  const text = operation[member];
  return typeof text === 'string'
    ? text
    : fail(`${String(operation.op)} operation failed to decode ${member}: ${missing}`);
}

const valueOf = (value: unknown): unknown => (value === undefined ? null : clone(value));

/** The place in an array that an index means, or what is wrong with it. Negative ones count from the end. */
function indexOf(text: string, length: number): number | string {
  if (!/^[+-]?\d+$/.test(text)) return `strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  const at = Number(text) < 0 ? Number(text) + length : Number(text);
  return at >= 0 && at < length ? at : `Unable to access invalid index: ${Number(text)}: invalid index referenced`;
}

function get({ holder, key }: Place, where: string): unknown {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, key) ? holder[key] : undefined;
  const at = indexOf(key, holder.length);
  return typeof at === 'string' ? fail(`${where}: ${at}`) : (holder as unknown[])[at];
}

function insert(holder: Place['holder'], key: string, value: unknown, where: string): void {
  if (!Array.isArray(holder)) setKey(holder, key, value);
  else if (key === '-') holder.push(value);
  else {
    const at = indexOf(key, holder.length + 1);
    if (typeof at === 'string') {
      fail(`${where}: ${at.startsWith('strconv') ? `value was not a proper array index: '${key}': ` : ''}${at}`);
    }
    holder.splice(at as number, 0, value);
  }
}

function take(holder: Place['holder'], key: string, where: string): void {
  if (!Array.isArray(holder)) {
    if (!Object.hasOwn(holder, key)) fail(`${where}: Unable to remove nonexistent key: ${key}: ${missing}`);
    delete holder[key];
    return;
  }
  const at = indexOf(key, holder.length);
  if (typeof at === 'string') fail(`${where}: ${at}`);
  holder.splice(at as number, 1);
}
