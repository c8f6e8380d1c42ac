import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CorruptStateFileError } from '../errors/corrupt-state-file.error.js';
import { StateFileWriteError } from '../errors/state-file-write.error.js';
import { FileLock } from './file-lock.js';
import { BadLine, eventStateLine, stateLine, stateLines, StateReader } from './state-lines.js';
import type { StoreJournal } from './store-journal.js';
import type { StoreEvent, StoreSnapshot } from './store-event.js';

/** A file is written anew when it has more lines than its state needs: so many times more, and so many beyond. */
const slack = { factor: 2, lines: 1_000 };
const chunk = 1024 * 1024;
const lineFeed = 0x0a;

/**
 * Keeps a store in a file: the state as of the compacted revision, and every event since, a line each.
 *
 * An event is handed to the operating system before it takes effect, so the end of the process loses nothing that a
 * client was told. The disk is waited for (fsync) when the file is written anew and when it is closed: the end of the
 * machine may take the events since with it, but leaves a whole state. A file is written anew beside the old one, and
 * takes its place by a rename.
 */
export class StateFile implements StoreJournal {
  #size = 0;
  #lines = 0;
  #broken: Error | undefined;

  private constructor(
    readonly path: string,
    private readonly lock: FileLock,
    private handle: number,
    private readonly onProblem: (error: unknown) => void,
  ) {}

  /**
   * Opens a file for one server, and makes it where there is none; `state` is what it holds, if anything. `onProblem` is
   * told of failures that only make the file longer than it would have to be.
   *
   * @throws StateFileInUseError (`APISERVER_STATE_FILE_IN_USE`), CorruptStateFileError (`APISERVER_CORRUPT_STATE_FILE`)
   */
  static open(
    path: string,
    onProblem: (error: unknown) => void,
  ): { readonly file: StateFile; readonly state: StoreSnapshot | undefined } {
    const lock = FileLock.take(path);
    let handle: number | undefined;
    try {
      // What an end in the middle of a rename left behind.
      rmSync(temporary(path), { force: true });
      handle = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      const file = new StateFile(path, lock, handle, onProblem);
      return { file, state: file.#read() };
    } catch (error) {
      if (handle !== undefined) closeSync(handle);
      lock.release();
      throw error;
    }
  }

  append(event: StoreEvent): void {
    this.#write(eventStateLine(event));
  }

  compact(revision: number): void {
    try {
      this.#write(stateLine({ compact: revision }));
    } catch (error) {
      this.onProblem(error);
    }
  }

  replace(snapshot: StoreSnapshot): void {
    const path = temporary(this.path);
    let handle: number | undefined;
    let size = 0;
    let lines = 0;
    try {
      handle = openSync(path, 'w', 0o600);
      let text = '';
      for (const line of stateLines(snapshot)) {
        text += line;
        lines++;
        if (text.length > chunk) {
          size += writeAll(handle, Buffer.from(text), size);
          text = '';
        }
      }
      size += writeAll(handle, Buffer.from(text), size);
      fsyncSync(handle);
      renameSync(path, this.path);
      syncFolder(this.path);
    } catch (error) {
      if (handle !== undefined) closeSync(handle);
      rmSync(path, { force: true });
      throw new StateFileWriteError(this.path, { cause: error });
    }
    closeSync(this.handle);
    this.handle = handle;
    this.#size = size;
    this.#lines = lines;
    this.#broken = undefined;
  }

  settle(objects: number, events: number, state: () => StoreSnapshot): void {
    if (this.#lines <= slack.factor * (objects + events) + slack.lines) return;
    try {
      this.replace(state());
    } catch (error) {
      // After as many lines again it is tried again.
      this.#lines = 0;
      this.onProblem(error);
    }
  }

  /** Waits for the disk and lets go of the file. */
  close(): void {
    try {
      fdatasyncSync(this.handle);
    } finally {
      closeSync(this.handle);
      this.lock.release();
    }
  }

  #write(line: string): void {
    if (this.#broken !== undefined) throw new StateFileWriteError(this.path, { cause: this.#broken });
    try {
      this.#size += writeAll(this.handle, Buffer.from(line), this.#size);
      this.#lines++;
    } catch (error) {
      try {
        // Half a line must not stand before the next one.
        ftruncateSync(this.handle, this.#size);
      } catch (second) {
        this.#broken = second instanceof Error ? second : new Error(String(second));
      }
      throw new StateFileWriteError(this.path, { cause: error });
    }
  }

  #read(): StoreSnapshot | undefined {
    const reader = new StateReader();
    const buffer = Buffer.alloc(chunk);
    let rest: Buffer[] = [];
    let offset = 0;
    let position = 0;
    for (;;) {
      const count = readSync(this.handle, buffer, 0, chunk, position);
      if (count === 0) break;
      position += count;
      let from = 0;
      for (let at = buffer.indexOf(lineFeed); at >= 0 && at < count; at = buffer.indexOf(lineFeed, from)) {
        const line = Buffer.concat([...rest, buffer.subarray(from, at)]);
        rest = [];
        this.#take(reader, line, offset);
        offset += line.length + 1;
        from = at + 1;
      }
      rest.push(Buffer.from(buffer.subarray(from, count)));
    }
    if (reader.missing > 0) {
      throw new CorruptStateFileError(this.path, this.#lines + 1, offset, `${reader.missing} objects are missing`);
    }
    // A last line without its end is a write that did not come to its own: nobody was told of it.
    if (position > offset) {
      if (!reader.begun) throw new CorruptStateFileError(this.path, 1, 0, 'it has no end');
      ftruncateSync(this.handle, offset);
    }
    this.#size = offset;
    return reader.begun ? reader.snapshot() : undefined;
  }

  #take(reader: StateReader, line: Buffer, offset: number): void {
    this.#lines++;
    try {
      reader.read(line.toString());
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      throw new CorruptStateFileError(this.path, this.#lines, offset, error.message, { cause: error });
    }
  }
}

const temporary = (path: string): string => `${path}.new`;

function writeAll(handle: number, data: Buffer, position: number): number {
  let written = 0;
  while (written < data.length) {
    written += writeSync(handle, data, written, data.length - written, position + written);
  }
  return written;
}

/** Makes a rename last beyond the end of the machine. */
function syncFolder(path: string): void {
  let folder: number | undefined;
  try {
    folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
  } catch (error) {
    // Not every system can do that with folders.
    if (!['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}
