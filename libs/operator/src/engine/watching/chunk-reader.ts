/**
 * Pulls a stream's chunks one by one, and can be cancelled at any time: the read that waits then rejects at once, whatever
 * the stream itself does.
 */
export class ChunkReader {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private rejectRead: ((reason: Error) => void) | undefined;
  private cancelled: Error | undefined;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.iterator = chunks[Symbol.asyncIterator]();
  }

  /** The next chunk; `undefined` at the end. Rejects when the connection breaks, and with the reason of {@link cancel}. */
  next(): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      if (this.cancelled !== undefined) {
        reject(this.cancelled);
        return;
      }
      this.rejectRead = reject;
      this.iterator.next().then(({ done, value }) => resolve(done === true ? undefined : value), reject);
    });
  }

  cancel(reason: Error): void {
    if (this.cancelled !== undefined) return;
    this.cancelled = reason;
    this.rejectRead?.(reason);
  }
}
