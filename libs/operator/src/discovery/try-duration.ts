import { parseDuration } from '../duration.js';
import { InvalidDurationError } from '../errors/invalid-duration.error.js';

/** A duration option in milliseconds; what is wrong with it goes to `report`. */
export function tryDuration(value: unknown, name: string, report: (problem: string) => void): number | undefined {
  try {
    return parseDuration(value);
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error;
    report(`option "${name}": ${error.message}`);
    return undefined;
  }
}
