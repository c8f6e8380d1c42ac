const LONGEST_LINE = 2_000;

/** The last lines of a stream of text. */
export class LineTail {
  readonly #lines: string[] = [];
  #open = '';

  constructor(
    readonly capacity = 40,
    private readonly onLine?: (line: string) => void,
  ) {}

  push(chunk: string): void {
    const parts = (this.#open + chunk).split('\n');
    this.#open = (parts.pop() ?? '').slice(0, LONGEST_LINE);
    for (const part of parts) this.#add(part);
  }

  /** Complete lines, then the one that has not ended yet. */
  get lines(): readonly string[] {
    return this.#open === '' ? [...this.#lines] : [...this.#lines, this.#open];
  }

  #add(line: string): void {
    const shortened = line.slice(0, LONGEST_LINE).trimEnd();
    if (shortened === '') return;
    this.#lines.push(shortened);
    if (this.#lines.length > this.capacity) this.#lines.shift();
    this.onLine?.(shortened);
  }
}
