import { deepest } from '../json.js';

/** The bytes are no message of the expected kind. The text is what the real server's decoder says. */
export class WireError extends Error {}

const endGroup = 4;

/** Reads the tags and values of one message in the protobuf wire format. */
export class WireReader {
  #at: number;

  constructor(
    private readonly bytes: Buffer,
    start: number,
    private readonly end: number,
    private readonly depth = 0,
  ) {
    this.#at = start;
    if (depth > deepest) throw new WireError('exceeded max depth');
  }

  get done(): boolean {
    return this.#at >= this.end;
  }

  /** The number of the next field and the type of its value; `raw` is both in one. */
  tag(): { readonly field: number; readonly wire: number; readonly raw: bigint | number } {
    const byte = this.bytes[this.#at] ?? 0x80;
    if (byte < 0x80 && this.#at < this.end) {
      this.#at++;
      return { field: byte >> 3, wire: byte & 7, raw: byte };
    }
    const raw = this.varint();
    return { field: Number(BigInt.asIntN(32, raw >> 3n)), wire: Number(raw & 7n), raw };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      if (this.#at >= this.end) throw new WireError('unexpected EOF');
      const byte = this.bytes[this.#at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('proto: integer overflow');
  }

  double(): number {
    const at = this.#take(8);
    return this.bytes.readDoubleLE(at);
  }

  /** A string or bytes. */
  chunk(): Buffer {
    const length = this.#length();
    const at = this.#take(length);
    return this.bytes.subarray(at, at + length);
  }

  /** A reader of the message that begins here. */
  message(): WireReader {
    const length = this.#length();
    const at = this.#take(length);
    return new WireReader(this.bytes, at, at + length, this.depth + 1);
  }

  /** Leaves out the value of a field that nobody knows. */
  skip(wire: number): void {
    let depth = 0;
    for (let type = wire; ; type = this.tag().wire) {
      if (type === 0) this.varint();
      else if (type === 1) this.#take(8);
      else if (type === 2) this.#take(this.#length());
      else if (type === 3) depth++;
      else if (type === endGroup) {
        if (depth === 0) throw new WireError('proto: unexpected end of group');
        depth--;
      } else if (type === 5) this.#take(4);
      else throw new WireError(`proto: illegal wireType ${type}`);
      if (depth === 0) return;
    }
  }

  #length(): number {
    const length = BigInt.asIntN(64, this.varint());
    if (length < 0n) throw new WireError('proto: negative length found during unmarshaling');
    return Number(length);
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.end - at) throw new WireError('unexpected EOF');
    this.#at += length;
    return at;
  }
}
