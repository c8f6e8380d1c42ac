import type { ClientConfig } from '../webhooks/client-config.js';
import type { Schema } from './schema.js';

/** The webhook that converts between the versions of a definition. */
export interface CustomConversion {
  readonly clientConfig: ClientConfig;
  /** The first version of reviews that both sides know. */
  readonly reviewVersion: 'v1' | 'v1beta1';
}

/** What a CustomResourceDefinition says about one of its versions. */
export interface CustomVersion {
  /** Name of the CustomResourceDefinition. */
  readonly definition: string;
  /** Changes whenever the definition's spec changes; open watches of an older one end. */
  readonly epoch: number;
  readonly schema: Schema;
  readonly storageVersion: string;
  /** The schemas of all versions of the definition, also of those that are not served. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Set where a webhook stands between the versions; absent where only apiVersion tells them apart. */
  readonly conversion?: CustomConversion;
  /** The definition is being deleted: nothing new is created. */
  readonly terminating: boolean;
  readonly scalePaths?: {
    readonly spec: readonly string[];
    readonly status: readonly string[];
    readonly selector?: readonly string[];
  };
}
