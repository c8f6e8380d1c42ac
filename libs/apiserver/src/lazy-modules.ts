import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * What most servers never need is loaded when somebody does: an import of the package would take twice as long. An ES
 * import of node:http alone evaluates all that it exports, a WebSocket client included.
 */
function lazily<T>(load: () => T): () => T {
  let loaded: { readonly module: T } | undefined;
  return () => (loaded ??= { module: load() }).module;
}

export const yamlLibrary = lazily(() => require('yaml') as typeof import('yaml'));

export const http = lazily(() => process.getBuiltinModule('node:http'));

export const https = lazily(() => process.getBuiltinModule('node:https'));

export const zlib = lazily(() => process.getBuiltinModule('node:zlib'));
