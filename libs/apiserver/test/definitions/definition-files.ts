import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/index.js';

/** A CustomResourceDefinition of this folder, as it is sent. */
export interface DefinitionFile extends JsonObject {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly plural: string;
      readonly singular: string;
      readonly kind: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly DefinitionFileVersion[];
  };
}

export interface DefinitionFileVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly subresources?: { readonly status?: object; readonly scale?: object };
}

/** Reads a definition, by the plural that its file is named after. */
export const definitionFile = (plural: string): DefinitionFile =>
  parse(readFileSync(new URL(`./${plural}.yaml`, import.meta.url), 'utf8')) as DefinitionFile;
