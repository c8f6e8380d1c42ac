import type { JsonObject } from '../json.js';
import type { Schema } from './schema.js';

/** What a CustomResourceDefinition says about one of its versions. */
export interface CustomVersion {
  /** Name of the CustomResourceDefinition. */
  readonly definition: string;
  /** Changes whenever the definition's spec changes; open watches of an older one end. */
  readonly epoch: number;
  readonly schema: Schema;
  readonly storageVersion: string;
  /** All versions of the definition, also those that are not served. */
  readonly versions: readonly string[];
  /** Set where a webhook stands between the versions; absent where only apiVersion tells them apart. */
  readonly conversion?: { readonly webhook: JsonObject };
  /** The definition is being deleted: nothing new is created. */
  readonly terminating: boolean;
  readonly scalePaths?: {
    readonly spec: readonly string[];
    readonly status: readonly string[];
    readonly selector?: readonly string[];
  };
}
