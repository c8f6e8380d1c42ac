/** An expression's text by code points, since that is how positions in it are counted. */
export class Source {
  readonly characters: readonly string[];
  #lineStarts: readonly number[] | undefined;

  constructor(readonly text: string) {
    this.characters = Array.from(text);
  }

  get length(): number {
    return this.characters.length;
  }

  slice(from: number, to: number): string {
    return this.characters.slice(from, to).join('');
  }

  /** Line from 1 on and column from 0 on of a position. */
  location(position: number): { line: number; column: number } {
    const starts = this.#lines();
    let line = starts.length;
    while (line > 1 && starts[line - 1]! > position) line--;
    return { line, column: position - starts[line - 1]! };
  }

  line(number: number): string {
    const starts = this.#lines();
    const end = number < starts.length ? starts[number]! - 1 : this.length;
    return this.slice(starts[number - 1]!, end);
  }

  #lines(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      this.characters.forEach((character, index) => {
        if (character === '\n') starts.push(index + 1);
      });
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}

/** Something wrong with an expression, found before it is evaluated. */
export interface Issue {
  /** In code points; absent where the whole expression is meant. */
  readonly position: number | undefined;
  readonly message: string;
}

/** So many issues are shown. */
const mostShown = 100;
/** No more of a text's syntax is told of; what is left is enough to say that there was more. */
export const mostSyntaxIssues = mostShown + 1;

/** The issues as cel-go prints them: each with its line and a mark below the place. */
export function formatIssues(source: Source, issues: readonly Issue[]): string {
  const shown = issues
    .map(({ message, position }) => ({
      message,
      ...(position === undefined ? { line: -1, column: -1 } : source.location(position)),
    }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, mostShown)
    .map(({ message, line, column }) => {
      if (line < 0) return `ERROR: <input>:-1:0: ${message}`;
      const text = source.line(line).replaceAll('\t', ' ');
      const before = Array.from(text).slice(0, column);
      // Wide characters are marked by wide dots, so that the mark stands below its place.
      const dots = before.map((character) => (isWide(character) ? '．' : '.')).join('');
      const mark = isWide(Array.from(text)[column] ?? '') ? '＾' : '^';
      return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${dots}${mark}`;
    })
    .join('\n');
  const rest = issues.length - mostShown;
  return rest > 0 ? `${shown}\n${rest} more errors were truncated` : shown;
}

const isWide = (character: string): boolean => character > '\x7F';
