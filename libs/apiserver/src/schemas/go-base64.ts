/** What is wrong with a text as base64, in the real server's words; undefined when nothing is. */
export function base64Error(text: string): string | undefined {
  const fail = (at: number): string => `illegal base64 data at input byte ${at}`;
  // Line breaks do not count, also not within the padding.
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) if (text[at] !== '\n' && text[at] !== '\r') places.push(at);
  const end = places.length;
  for (let index = 0; index < places.length; index++) {
    const character = text[places[index]!]!;
    if (/[A-Za-z0-9+/]/.test(character)) continue;
    if (character !== '=') return fail(places[index]!);
    const within = index % 4;
    if (within < 2) return fail(places[index]!);
    if (within === 2) {
      const next = places[index + 1];
      if (next === undefined) return fail(text.length);
      if (text[next] !== '=') return fail(next - 1);
    }
    const after = places[index + (within === 2 ? 2 : 1)];
    return after === undefined ? undefined : fail(after);
  }
  return end % 4 === 0 ? undefined : fail(places[end - (end % 4)] ?? text.length);
}
