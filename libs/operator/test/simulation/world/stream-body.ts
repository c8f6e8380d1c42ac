/** A body whose bytes come one by one, as a socket's would. */
export class StreamBody implements AsyncIterableIterator<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #waiting: { resolve(result: IteratorResult<Uint8Array>): void; reject(error: Error): void } | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  constructor(private readonly onClose: () => void) {}

  get over(): boolean {
    return this.#end !== undefined;
  }

  push(chunk: Uint8Array): void {
    if (this.#end !== undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#chunks.push(chunk);
    else waiting.resolve({ done: false, value: chunk });
  }

  /** Ends in order, or by an error; what was not read until then is lost with an error. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    if (error !== undefined) this.#chunks.length = 0;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (error === undefined) waiting?.resolve({ done: true, value: undefined });
    else waiting?.reject(error);
  }

  /** Whoever reads it is gone: nothing reaches them any more. */
  abandon(): void {
    this.#waiting = undefined;
    this.#chunks.length = 0;
    this.#end ??= { error: undefined };
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.#end?.error !== undefined) return Promise.reject(this.#end.error);
    if (this.#end !== undefined) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.onClose();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
