import { isBigNumber } from '../json.js';

/** A member of an object in a JSON text. */
export interface JsonMember {
  /** Such as `spec.tags[0].name`. */
  readonly path: string;
  /** The object had a member of this name before. */
  readonly duplicate: boolean;
}

/** Reads the names in a JSON text that can be parsed, as they are written. */
class Reader {
  readonly members: JsonMember[] = [];
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly skip: (path: string) => boolean,
  ) {}

  value(path: string, told: boolean): void {
    const first = this.#next();
    if (first === '{') this.#object(path, told);
    else if (first === '[') this.#array(path, told);
    else if (first === '"') this.#string();
    else while (!/[\s,\]}]/.test(this.text[this.#at] ?? ' ')) this.#at++;
  }

  /** The next character that is no space. */
  #next(): string {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++;
    return this.text[this.#at] ?? '';
  }

  #object(path: string, told: boolean): void {
    const known = new Set<string>();
    this.#at++;
    while (this.#next() !== '}') {
      const key = this.#string();
      this.#next();
      this.#at++;
      const at = path === '' ? key : `${path}.${key}`;
      if (told && !known.has(key)) this.members.push({ path: at, duplicate: false });
      this.value(at, told && !this.skip(at));
      // A duplicate is told of after what its value holds.
      if (told && known.has(key)) this.members.push({ path: at, duplicate: true });
      known.add(key);
      if (this.#next() === ',') this.#at++;
    }
    this.#at++;
  }

  #array(path: string, told: boolean): void {
    this.#at++;
    for (let index = 0; this.#next() !== ']'; index++) {
      this.value(`${path}[${index}]`, told);
      if (this.#next() === ',') this.#at++;
    }
    this.#at++;
  }

  #string(): string {
    this.#next();
    const start = this.#at++;
    while (this.text[this.#at] !== '"') this.#at += this.text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return JSON.parse(this.text.slice(start, this.#at)) as string;
  }
}

/**
 * The members of a JSON text in order, without what lies in those that `skip` answers true for. The text must be one
 * that was parsed.
 */
export function jsonMembers(text: string, skip: (path: string) => boolean = () => false): readonly JsonMember[] {
  const reader = new Reader(text, skip);
  reader.value('', true);
  return reader.members;
}

/** Whether an object in a JSON text has two members of one name: counts the names in the text and in its value. */
export function hasDuplicates(text: string, value: unknown): boolean {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== 0x22) continue;
    for (at++; text.charCodeAt(at) !== 0x22; at++) if (text.charCodeAt(at) === 0x5c) at++;
    let next = at + 1;
    while (text.charCodeAt(next) <= 0x20) next++;
    if (text.charCodeAt(next) === 0x3a) names++;
  }
  return names !== memberCount(value);
}

function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null || isBigNumber(value)) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value as unknown[]) count += memberCount(item);
  else for (const key of Object.keys(value)) count += 1 + memberCount((value as Record<string, unknown>)[key]);
  return count;
}
