import { MalformedObjectError } from '../../errors/malformed-object.error.js';

/** What `act` returns, or its complaint that an object cannot be identified. */
export function unlessMalformed<T>(act: () => T): T | MalformedObjectError {
  try {
    return act();
  } catch (error) {
    if (error instanceof MalformedObjectError) return error;
    throw error;
  }
}
