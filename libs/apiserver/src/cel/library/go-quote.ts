const named: Readonly<Record<string, string>> = {
  '\u0007': String.raw`\a`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\v': String.raw`\v`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
};
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A text in double quotes, as Go writes it in messages. */
export function goQuote(text: string): string {
  const shown = Array.from(text, (character) => {
    const escape = named[character];
    if (escape !== undefined) return escape;
    if (printable.test(character)) return character;
    const code = character.codePointAt(0)!;
    const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
    if (code < 0x80) return String.raw`\x` + hex(2);
    return code > 0xffff ? String.raw`\U` + hex(8) : String.raw`\u` + hex(4);
  });
  return `"${shown.join('')}"`;
}
