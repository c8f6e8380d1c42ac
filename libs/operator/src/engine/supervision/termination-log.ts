import { accessSync, constants, writeFileSync } from 'node:fs';
import type { Logger } from '../ports/index.js';

/** The kubelet reads no more than this from the file. */
const longestMessage = 4_096;

/** Where the level-3 error goes so that the pod's status shows it. */
export interface TerminationLog {
  /** Synchronous, never throws. */
  write(text: string): void;
}

/** The termination message file of a container. Written only where it exists: outside a cluster nothing happens. */
export class TerminationLogFile implements TerminationLog {
  readonly #logger: Logger;
  readonly #path: string;

  constructor(logger: Logger, path = '/dev/termination-log') {
    this.#logger = logger;
    this.#path = path;
  }

  write(text: string): void {
    try {
      accessSync(this.#path, constants.W_OK);
    } catch {
      // Absent or read-only is the normal case outside a pod.
      this.#logger.log('debug', 'No termination log to write to', { path: this.#path });
      return;
    }
    try {
      writeFileSync(this.#path, cut(text), { flag: 'r+' });
    } catch (error) {
      this.#logger.log('warn', 'Writing the termination log failed', { path: this.#path }, error);
    }
  }
}

/** Keeps the first bytes: the head of the chain names what failed; and the last ones: the root cause. */
function cut(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestMessage) return bytes;
  const gap = Buffer.from('\n[…]\n');
  const half = Math.floor((longestMessage - gap.length) / 2);
  return Buffer.concat([bytes.subarray(0, half), gap, bytes.subarray(bytes.length - half)]);
}
