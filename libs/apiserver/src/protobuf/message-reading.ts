import { messageBehind, type Field, type Message } from './message-notation.js';
import { WireError, type WireReader } from './wire-reader.js';

/** The fields of a message that were on the wire: strings, Buffers, booleans, bigints, numbers, Contents, and lists and Maps of them. */
export type Content = Map<Field, unknown>;

const wireTypes: Partial<Record<Field['kind'], number>> = { b: 0, i: 0, d: 1 };

/** Reads a message into `content`. What comes twice is merged, as Go merges it. Throws WireError. */
export function readMessage(message: Message, reader: WireReader, content: Content): Content {
  const name = message.name.slice(message.name.lastIndexOf('.') + 1);
  while (!reader.done) {
    const { field: number, wire, raw } = reader.tag();
    if (wire === 4) throw new WireError(`proto: ${name}: wiretype end group for non-group`);
    if (number <= 0) throw new WireError(`proto: ${name}: illegal tag ${number} (wire type ${raw})`);
    const field = message.byNumber.get(number);
    if (field === undefined) reader.skip(wire);
    else readField(field, reader, wire, content);
  }
  return content;
}

function readField(field: Field, reader: WireReader, wire: number, content: Content): void {
  const expected = field.shape === 'map' ? 2 : (wireTypes[field.kind] ?? 2);
  if (field.shape === 'list') {
    let list = content.get(field) as unknown[] | undefined;
    if (list === undefined) content.set(field, (list = []));
    if (wire === 2 && expected === 0) {
      const packed = reader.message();
      while (!packed.done) list.push(readValue(field, packed, undefined));
      return;
    }
    checkWire(field, wire, expected);
    list.push(readValue(field, reader, undefined));
    return;
  }
  checkWire(field, wire, expected);
  if (field.shape === 'map') {
    let map = content.get(field) as Map<string, unknown> | undefined;
    if (map === undefined) content.set(field, (map = new Map()));
    const [key, value] = readEntry(field, reader.message());
    map.set(key, value);
    return;
  }
  content.set(field, readValue(field, reader, content.get(field)));
}

function checkWire(field: Field, wire: number, expected: number): void {
  if (wire !== expected) throw new WireError(`proto: wrong wireType = ${wire} for field ${field.goName}`);
}

function readEntry(field: Field, reader: WireReader): [key: string, value: unknown] {
  let key = '';
  let value: unknown;
  while (!reader.done) {
    const { field: number, wire } = reader.tag();
    if (number === 1) key = reader.chunk().toString();
    else if (number === 2)
      value = field.wrapped ? readList(field, reader.message()) : readValue(field, reader, undefined);
    else reader.skip(wire);
  }
  return [key, value ?? (field.wrapped ? [] : undefined)];
}

function readList(field: Field, reader: WireReader): unknown[] {
  const list: unknown[] = [];
  while (!reader.done) {
    const { field: number, wire } = reader.tag();
    if (number === 1) {
      checkWire({ ...field, goName: 'Items' }, wire, 2);
      list.push(readValue(field, reader, undefined));
    } else reader.skip(wire);
  }
  return list;
}

function readValue(field: Field, reader: WireReader, before: unknown): unknown {
  switch (field.kind) {
    case 's':
      return reader.chunk().toString();
    case 'y':
      return Buffer.from(reader.chunk());
    case 'b':
      return reader.varint() !== 0n;
    case 'i':
      return BigInt.asIntN(64, reader.varint());
    case 'd':
      return reader.double();
    default:
      return readMessage(messageBehind(field), reader.message(), (before as Content | undefined) ?? new Map());
  }
}
