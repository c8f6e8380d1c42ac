/** Whether a text is one address as mail headers have them, with or without a name before it. */
export function isEmailAddress(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.isAddress();
}

const atom = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+/u;

class AddressReader {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  isAddress(): boolean {
    this.#space();
    const whole = this.#rest;
    if (this.#addressSpec() && this.#ends()) return true;
    // Or a name of words, with the address in angle brackets.
    this.#rest = whole;
    while (this.#word()) this.#space();
    if (!this.#take('<')) return false;
    return this.#addressSpec() && this.#take('>') && this.#ends();
  }

  #ends(): boolean {
    this.#space();
    return this.#rest === '';
  }

  #space(): void {
    this.#rest = this.#rest.replace(/^[ \t]+/, '');
  }

  #take(text: string): boolean {
    if (!this.#rest.startsWith(text)) return false;
    this.#rest = this.#rest.slice(text.length);
    return true;
  }

  #match(pattern: RegExp): boolean {
    const found = pattern.exec(this.#rest)?.[0];
    return found !== undefined && this.#take(found);
  }

  #quoted(): boolean {
    // eslint-disable-next-line no-control-regex
    return this.#match(/^"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[\t\x20-\x7e])*"/u);
  }

  #word(): boolean {
    return this.#quoted() || this.#match(/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\u{10ffff}]+/u);
  }

  #dotAtom(): boolean {
    if (!this.#match(atom)) return false;
    while (this.#rest.startsWith('.')) {
      this.#take('.');
      if (!this.#match(atom)) return false;
    }
    return true;
  }

  #addressSpec(): boolean {
    if (!this.#quoted() && !this.#dotAtom()) return false;
    if (!this.#take('@')) return false;
    return this.#rest.startsWith('[') ? this.#match(/^\[[\d.:a-fA-F]+\]/) : this.#dotAtom();
  }
}
