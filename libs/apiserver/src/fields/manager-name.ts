import { goQuote } from '../cel/library/go-quote.js';

const longest = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Who writes: whom the request names, else the User-Agent up to its first slash; `unknown` where there is none. */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  let name = '';
  let size = 0;
  for (const character of userAgent.split('/')[0]!) {
    if (!printable.test(character)) continue;
    size += Buffer.byteLength(character);
    if (size > longest) break;
    name += character;
  }
  return name === '' ? 'unknown' : name;
}

/** What is wrong with a name given for a manager, with the reason of the cause; undefined for a good one. */
export function managerNameProblem(name: string): { reason: string; message: string } | undefined {
  if (Buffer.byteLength(name) > longest) {
    return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${longest} bytes` };
  }
  let position = 0;
  for (const character of name) {
    if (!printable.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      return {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${goQuote(name)}: invalid character U+${code} (at position ${position})`,
      };
    }
    position += Buffer.byteLength(character);
  }
  return undefined;
}
