/** Spoils a JSON document; a line feed at its end stays. */
export function corrupted(data: Buffer, how: 'truncate' | 'garble'): Buffer {
  const end = data.at(-1) === 0x0a ? data.length - 1 : data.length;
  const middle = end >>> 1;
  if (how === 'truncate') return Buffer.concat([data.subarray(0, middle), data.subarray(end)]);
  const copy = Buffer.from(data);
  // A control character is allowed neither within a text nor between tokens.
  copy[middle] = 0x00;
  return copy;
}
