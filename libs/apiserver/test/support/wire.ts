/** The value of a field: a text, bytes, a number, a message as the fields that it has. */
export type Wire = string | Buffer | number | bigint | boolean | readonly Buffer[];

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** One field in the protobuf wire format. */
export function field(number: number, value: Wire): Buffer {
  const tag = (wire: number): Buffer => varint((number << 3) | wire);
  if (typeof value === 'number' || typeof value === 'bigint') return Buffer.concat([tag(0), varint(value)]);
  if (typeof value === 'boolean') return Buffer.concat([tag(0), varint(value ? 1 : 0)]);
  const content =
    typeof value === 'string' ? Buffer.from(value) : Buffer.isBuffer(value) ? value : Buffer.concat(value);
  return Buffer.concat([tag(2), varint(content.length), content]);
}

/** A double, as one field. */
export function double(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** The body of a request: an object of a kind in its envelope. */
export const envelope = (apiVersion: string, kind: string, ...content: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, [field(1, apiVersion), field(2, kind)]),
    field(2, content),
    field(3, ''),
    field(4, ''),
  ]);

/** The metadata of an object that has a name. */
export const metadata = (name: string, ...more: Buffer[]): Buffer => field(1, [field(1, name), ...more]);
