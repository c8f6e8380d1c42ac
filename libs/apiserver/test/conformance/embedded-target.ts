import { startApiServer } from '../../src/index.js';
import { conformanceDefinition } from './run-case.js';
import type { Target } from './target.js';

/** An embedded server for the cases of a group. */
export interface EmbeddedTarget extends Target {
  /** The internal errors since this was last asked for. */
  readonly bugs: () => unknown[];
  readonly close: () => Promise<void>;
}

export async function startEmbeddedTarget(): Promise<EmbeddedTarget> {
  const bugs: unknown[] = [];
  const api = await startApiServer({
    crds: [conformanceDefinition],
    onInternalError: (error) => void bugs.push(error),
  });
  return {
    name: 'embedded',
    url: api.url,
    compact: () => Promise.resolve(api.compact()),
    bugs: () => bugs.splice(0),
    close: () => api.close(),
  };
}
