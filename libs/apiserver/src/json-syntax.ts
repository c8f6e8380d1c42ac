const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** Where a text stops being JSON, in the words that clients of the real server know. */
class Stop extends Error {}

/** Finds the first syntax error of a text that `JSON.parse` refused; undefined when there is none. */
export function jsonSyntaxError(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch (error) {
    if (error instanceof Stop) return error.message;
    throw error;
  }
  return undefined;
}

/** Walks with a stack of its own: a body may be nested as deep as it likes. */
class Scanner {
  #at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    /** The closing bracket of each open object and array. */
    const open: ('}' | ']')[] = [];
    for (;;) {
      this.#space();
      let value = true;
      if (this.#peek() === '{') {
        this.#at++;
        this.#space();
        if (this.#peek() !== '}') {
          this.#key();
          open.push('}');
          value = false;
        } else this.#at++;
      } else if (this.#peek() === '[') {
        this.#at++;
        this.#space();
        if (this.#peek() !== ']') {
          open.push(']');
          value = false;
        } else this.#at++;
      } else this.#scalar();
      if (!value) continue;
      // A value has ended: so may what it lies in.
      for (;;) {
        this.#space();
        const closing = open.at(-1);
        if (closing === undefined) {
          if (this.#at < this.text.length) this.#fail('after top-level value');
          return;
        }
        if (this.#peek() === closing) {
          this.#at++;
          open.pop();
          continue;
        }
        if (this.#peek() !== ',') this.#fail(closing === '}' ? 'after object key:value pair' : 'after array element');
        this.#at++;
        if (closing === '}') {
          this.#space();
          this.#key();
        }
        break;
      }
    }
  }

  /** The next character, empty at the end. */
  #peek(): string {
    return this.text[this.#at] ?? '';
  }

  #space(): void {
    while (this.#peek() !== '' && ' \t\r\n'.includes(this.#peek())) this.#at++;
  }

  #key(): void {
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#at++;
  }

  #scalar(): void {
    const first = this.#peek();
    if (first === '"') this.#string();
    else if (/[-\d]/.test(first)) this.#number();
    else if (literals[first] !== undefined) this.#literal(literals[first]);
    else this.#fail('looking for beginning of value');
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (this.#peek() !== letter) this.#fail(`in literal ${word} (expecting ${quoted(letter)})`);
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peek() === '-') this.#at++;
    if (this.#peek() === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#peek() === 'e' || this.#peek() === 'E') {
      this.#at++;
      if (this.#peek() === '+' || this.#peek() === '-') this.#at++;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(where: string): void {
    if (!/\d/.test(this.#peek())) this.#fail(where);
    while (/\d/.test(this.#peek())) this.#at++;
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const character = this.#peek();
      if (character < ' ') this.#fail('in string literal');
      this.#at++;
      if (character === '"') return;
      if (character !== '\\') continue;
      if (this.#peek() === 'u') {
        this.#at++;
        for (let digit = 0; digit < 4; digit++, this.#at++) {
          if (!/[\da-fA-F]/.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
        }
      } else if (this.#peek() !== '' && '"\\/bfnrt'.includes(this.#peek())) this.#at++;
      else this.#fail('in string escape code');
    }
  }

  #fail(where: string): never {
    let found = this.#peek();
    // The end counts as a space, which is wrong by itself within words, numbers and escapes.
    if (found === '' && /^in (?!string literal)|^after decimal/.test(where)) found = ' ';
    throw new Stop(found === '' ? 'unexpected end of JSON input' : `invalid character ${quoted(found)} ${where}`);
  }
}

const escapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\u0007': '\\a',
};

/** The first byte of a character, as the real server shows it. */
function quoted(character: string): string {
  const byte = Buffer.from(character)[0]!;
  const shown = String.fromCharCode(byte);
  const escaped = escapes[shown];
  if (escaped !== undefined) return `'${escaped}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  if (byte < 0xa0) return byte < 0x80 ? `'${shown}'` : `'\\u00${byte.toString(16)}'`;
  return byte === 0xad ? `'\\u00ad'` : `'${shown}'`;
}
