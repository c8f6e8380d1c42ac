/** When all warnings together are longer than this, in characters, each is cut. */
const longestInAll = 4096;
const longestWhenCut = 256;

/** Each warning has a header line of its own, once. What a header cannot carry is left out. */
export function warningHeaders(warnings: readonly string[]): Record<string, string[]> {
  if (warnings.length === 0) return {};
  const texts = [...new Set(warnings)].filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  const lengths = texts.map((text) => Array.from(text).length);
  const whole = lengths.reduce((sum, length) => sum + length, 0) <= longestInAll;
  const shown = whole ? texts : cut(texts);
  return shown.length === 0 ? {} : { warning: shown.map((text) => `299 - "${quoted(text)}"`) };
}

/** As many as fit, by a count that begins once they are cut. */
function cut(texts: readonly string[]): string[] {
  const shown: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= longestInAll) break;
    const characters = Array.from(text).slice(0, longestWhenCut);
    written += characters.length;
    shown.push(characters.join(''));
  }
  return shown;
}

/** Headers are bytes: what is not ASCII goes as UTF-8. */
const quoted = (text: string): string =>
  Buffer.from(text.replaceAll(/["\\]/g, (character) => `\\${character}`)).toString('latin1');
