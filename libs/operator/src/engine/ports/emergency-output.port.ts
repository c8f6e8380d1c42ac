import { writeSync } from 'node:fs';

/** Where the last words go when the process is about to be ended by force. */
export interface EmergencyOutput {
  /** Writes before it returns. Never throws. */
  write(text: string): void;
}

/** Attempts to write to a full pipe. */
const attempts = 100;

export class StderrOutput implements EmergencyOutput {
  write(text: string): void {
    let rest = Buffer.from(text);
    for (let attempt = 0; attempt < attempts && rest.length > 0; attempt += 1) {
      try {
        rest = rest.subarray(writeSync(2, rest));
      } catch (error) {
        // A full pipe may drain; any other failure leaves nobody to tell it to, and the exit must go on.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      }
    }
  }
}
