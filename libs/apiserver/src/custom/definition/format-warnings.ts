import type { DefinitionVersion } from '../crd-type.js';
import { knowsFormat } from '../string-formats.js';
import { subschemas, type WrittenSchema } from './written-schema.js';

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Warnings about formats that nothing is checked by, apart from those that were there before. */
export function formatWarnings(
  versions: readonly DefinitionVersion[],
  before: readonly DefinitionVersion[] = [],
): string[] {
  const known = unknownFormats(before);
  return [...unknownFormats(versions)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function unknownFormats(versions: readonly DefinitionVersion[]): Set<string> {
  const found = new Set<string>();
  const visit = (schema: WrittenSchema): void => {
    const { type = '', format = '' } = schema;
    const isText = type === 'string' || type === '';
    const isKnown = isText ? knowsFormat(format) : numberFormats[type]?.includes(format) === true;
    if (format !== '' && !isKnown) found.add(format);
    for (const one of subschemas(schema)) visit(one);
  };
  for (const { schema } of versions) {
    if (schema?.openAPIV3Schema !== undefined) visit(schema.openAPIV3Schema as WrittenSchema);
  }
  return found;
}
