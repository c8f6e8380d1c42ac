import { seeded } from '../support/seeded.js';

const pieces = ['a', 'Z', '0', '-', '.', '/', '%', '=', '!', ',', '(', ')', ' ', '"', '\\', '\0', 'ü', '😀', '\ud800'];

const damages = ['{', '}', '[', ']', ',', ':', '"', 'null', '-', '1e999', '12345678901234567890', '\0'];

const keys = [
  ['metadata', 'spec', 'status', 'name', 'namespace', 'uid', 'resourceVersion', 'labels', 'annotations'],
  ['finalizers', 'ownerReferences', 'managedFields', 'generateName', 'kind', 'apiVersion', 'size', 'map', 'set'],
  ['keyed', 'k', 'one', 'port', 'data', 'stringData', 'immutable', 'rules', 'subjects', 'roleRef', 'template'],
  ['involvedObject', 'versions', 'schema', 'openAPIV3Schema', 'properties', 'names', 'preconditions', 'dryRun'],
  ['$patch', '$retainKeys', '$setElementOrder/finalizers', '$deleteFromPrimitiveList/finalizers'],
  ['__proto__', 'constructor', 'toString', ''],
].flat();

/** Chance that can be repeated, and what it throws. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
    // Seeds that lie side by side begin alike.
    for (let index = 0; index < 8; index++) this.#next();
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  many<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  text(): string {
    return this.many(8, () => this.pick(pieces)).join('');
  }

  bytes(most: number): Buffer {
    return Buffer.from(this.many(most, () => this.below(256)));
  }

  /** A text changed, taken away in parts, said twice or cut off. */
  damaged(text: string): string {
    let out = text;
    for (let times = this.below(4); times >= 0; times--) {
      const at = this.below(out.length + 1);
      const until = at + this.below(12);
      const kind = this.below(4);
      if (kind === 0) out = out.slice(0, at);
      else if (kind === 1) out = out.slice(0, at) + out.slice(until);
      else if (kind === 2) out = out.slice(0, until) + out.slice(at);
      else out = out.slice(0, at) + this.pick(damages) + out.slice(at);
    }
    return out;
  }

  key(): string {
    return this.chance(0.05) ? this.text() : this.pick(keys);
  }

  leaf(): unknown {
    return this.pick(
      [
        [null, true, false, 0, -1, 1.5, 2 ** 60, -(2 ** 31), 1e308, '', 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'],
        ['__proto__', 'constructor', '2026-01-01T00:00:00Z', '1Gi', '10.0.0.1', 'x'.repeat(300)],
        [this.text()],
      ].flat(),
    );
  }

  value(depth = 3): unknown {
    if (depth === 0 || this.chance(0.4)) return this.leaf();
    if (this.chance(0.4)) return this.many(3, () => this.value(depth - 1));
    return this.object(depth);
  }

  object(depth = 3): Record<string, unknown> {
    return Object.fromEntries(this.many(3, () => [this.key(), this.value(depth - 1)]));
  }

  /** A document with some of its values replaced, and some of its members renamed, lost or added. */
  mutated<T>(value: T, rate = 0.08): T {
    const walk = (each: unknown): unknown => {
      if (this.chance(rate)) return this.value(2);
      if (Array.isArray(each)) {
        const items = each.map(walk);
        if (items.length > 0 && this.chance(rate)) items.push(this.pick(items));
        return items;
      }
      if (typeof each !== 'object' || each === null) return each;
      const entries = Object.entries(each).flatMap(([key, member]): [string, unknown][] => {
        if (this.chance(rate / 2)) return [];
        return [[this.chance(rate / 2) ? this.key() : key, walk(member)]];
      });
      if (this.chance(rate)) entries.push([this.key(), this.value(2)]);
      return Object.fromEntries(entries);
    };
    return walk(value) as T;
  }
}
