/**
 * A copy as plain JSON, as it would go over the wire: dates become texts, methods and prototypes go.
 *
 * @throws TypeError for what JSON cannot hold: cycles and bigints.
 */
export function jsonCopy(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
