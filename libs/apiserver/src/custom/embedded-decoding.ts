import { canonical, type JsonObject } from '../json.js';
import { goType } from '../schemas/go-types.js';
import { DecodingError, decodeTyped } from '../schemas/typed-decoding.js';
import { joinPath } from './validation/schema-causes.js';
import { visitEmbedded } from './validation/embedded-objects.js';
import type { Schema } from './schema.js';

/**
 * Brings the metadata of objects in objects into their form, in place. Answers the paths of what was dropped.
 *
 * @throws EmbeddedError for what does not fit
 */
export function decodeEmbedded(root: JsonObject, schema: Schema): string[] {
  const dropped: string[] = [];
  visitEmbedded(root, schema, '', (object, path) => {
    for (const key of ['apiVersion', 'kind']) {
      const value = object[key];
      if (value !== undefined && typeof value !== 'string')
        throw new EmbeddedError(joinPath(path, key), value, 'must be a string');
    }
    const { metadata } = object;
    if (metadata === undefined || metadata === null) return;
    const at = joinPath(path, 'metadata');
    const { value, unknown } = decodedMetadata(metadata, at);
    object['metadata'] = value;
    dropped.push(...unknown.map((name) => joinPath(at, name)));
  });
  return dropped;
}

function decodedMetadata(metadata: unknown, path: string): ReturnType<typeof decodeTyped> {
  try {
    return decodeTyped(metadata, goType('meta.v1.ObjectMeta'));
  } catch (error) {
    if (error instanceof DecodingError) throw new EmbeddedError(path, metadata, error.message);
    throw error;
  }
}

/** A part of an object in an object that is not what it has to be. */
export class EmbeddedError extends DecodingError {
  constructor(
    readonly path: string,
    readonly value: unknown,
    readonly why: string,
  ) {
    super(`${path}: Invalid value: ${JSON.stringify(canonical(value))}: ${why}`);
  }
}
