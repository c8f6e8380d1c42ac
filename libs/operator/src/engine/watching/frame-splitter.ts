const lineFeed = 0x0a;
/** A buffer that grew beyond this is given back once its line is done. */
const keptCapacity = 64 * 1024;

/**
 * Cuts a byte stream into lines at the byte 0x0A and nowhere else, whatever the size of the chunks. Bytes are decoded
 * when their line is whole, so that a character cut by a chunk's border survives. Time is linear in the bytes, for lines
 * of many megabytes and chunks of one byte alike.
 */
export class FrameSplitter {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private buffer = new Uint8Array(4096);
  private pending = 0;

  /** Bytes of a line that has not ended yet. */
  get pendingBytes(): number {
    return this.pending;
  }

  /** The lines that end in this chunk, in order, without their line feed. */
  *push(chunk: Uint8Array): Generator<string, void, undefined> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      yield this.finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  private finish(last: Uint8Array): string {
    if (this.pending === 0) return this.decoder.decode(last);
    this.keep(last);
    const line = this.decoder.decode(this.buffer.subarray(0, this.pending));
    this.pending = 0;
    if (this.buffer.length > keptCapacity) this.buffer = new Uint8Array(4096);
    return line;
  }

  private keep(part: Uint8Array): void {
    const needed = this.pending + part.length;
    if (needed > this.buffer.length) {
      const grown = new Uint8Array(Math.max(needed, this.buffer.length * 2));
      grown.set(this.buffer.subarray(0, this.pending));
      this.buffer = grown;
    }
    this.buffer.set(part, this.pending);
    this.pending = needed;
  }
}
