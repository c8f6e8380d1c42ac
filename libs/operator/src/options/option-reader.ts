import { parseDuration } from '../duration.js';
import { InvalidDurationError } from '../errors/invalid-duration.error.js';

/** Reads one level of options, gives defaults for what is absent, and notes every gap instead of stopping at the first. */
export class OptionReader {
  readonly #known: string[] = [];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(
    raw: unknown,
    private readonly path: string,
    private readonly gaps: string[],
  ) {
    const valid = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
    if (!valid && raw !== undefined) gaps.push(`${path} must be an object, not ${describe(raw)}`);
    this.#values = valid ? { ...raw } : {};
  }

  /** The value as given; `undefined` counts as absent. */
  raw(name: string): unknown {
    this.#known.push(name);
    return this.#values[name];
  }

  nameOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  gap(name: string, problem: string): void {
    this.gaps.push(`${this.nameOf(name)} ${problem}`);
  }

  section(name: string): OptionReader {
    return new OptionReader(this.raw(name), this.nameOf(name), this.gaps);
  }

  duration(name: string, fallback: number, bounds: { readonly positive?: boolean } = {}): number {
    const value = this.raw(name);
    return value === undefined ? fallback : (this.#parse(value, this.nameOf(name), bounds.positive) ?? fallback);
  }

  durations(name: string, fallback: readonly number[]): readonly number[] {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    if (!Array.isArray(value)) {
      this.gap(name, `must be a list of durations, not ${describe(value)}`);
      return fallback;
    }
    return value.map((item, index) => this.#parse(item, `${this.nameOf(name)}[${index}]`) ?? 0);
  }

  number(name: string, fallback: number, accept: (value: number) => boolean, expected: string): number {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    if (typeof value === 'number' && Number.isFinite(value) && accept(value)) return value;
    this.gap(name, `must be ${expected}, not ${describe(value)}`);
    return fallback;
  }

  count(name: string, fallback: number): number {
    return this.number(name, fallback, (value) => Number.isInteger(value) && value >= 1, 'a whole number from 1 on');
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.raw(name);
    if (value === undefined || typeof value === 'boolean') return value ?? fallback;
    this.gap(name, `must be true or false, not ${describe(value)}`);
    return fallback;
  }

  choice<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    const value = this.raw(name);
    if (value === undefined) return fallback;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.gap(name, `must be one of '${choices.join("', '")}', not ${describe(value)}`);
    return found ?? fallback;
  }

  /** Notes names that nothing asked for. Called last. */
  end(): void {
    for (const name of Object.keys(this.#values)) {
      if (this.#values[name] === undefined || this.#known.includes(name)) continue;
      this.gap(name, `is not an option; ${this.path === '' ? 'the options are' : 'it has'} ${this.#known.join(', ')}`);
    }
  }

  #parse(value: unknown, name: string, positive = false): number | undefined {
    try {
      const duration = parseDuration(value);
      if (positive && duration === 0) this.gaps.push(`${name} must be longer than 0`);
      return duration;
    } catch (error) {
      if (!(error instanceof InvalidDurationError)) throw error;
      this.gaps.push(`${name}: ${error.message}`);
      return undefined;
    }
  }
}

/** A value in a message: short texts and numbers as they are, everything else by its type. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length <= 80 ? JSON.stringify(value) : 'a longer text';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
