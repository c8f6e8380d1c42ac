/** Above the byte: where those bytes of a header go that are no part of a text. */
const escape = 0xdc00;

/**
 * A header's value as text. Node reads one character per byte, and clients send UTF-8. Bytes that are none stay
 * recognisable, as lone surrogates.
 */
export function headerText(raw: string): string {
  if (!/[\u0080-\u00ff]/.test(raw)) return raw;
  const bytes = Buffer.from(raw, 'latin1');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    const character = bytes.toString('utf8', at, at + length);
    if (length > 0 && at + length <= bytes.length && !character.includes('\ufffd')) {
      text += character;
      at += length;
    } else {
      text += String.fromCharCode(escape + lead);
      at++;
    }
  }
  return text;
}
