import type { ErrorFact } from '../engine-observer.js';

/** Names and codes become labels and attributes: what is no identifier of decent length does not become one. */
const identifier = /^[\w.$-]{1,64}$/;

/** What is told outward of anything that was thrown. */
export function errorFact(error: unknown): ErrorFact {
  if (!(error instanceof Error)) return { name: 'ThrownValue', code: undefined };
  const name = identifier.test(error.name) ? error.name : 'Error';
  const code =
    'code' in error && typeof error.code === 'string' && identifier.test(error.code) ? error.code : undefined;
  return { name, code };
}
