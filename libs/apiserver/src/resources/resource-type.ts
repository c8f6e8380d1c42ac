import type { JsonObject, KubeObject } from '../json.js';
import type { StatusCause } from '../status.js';
import type { CustomVersion } from '../custom/custom-version.js';
import type { Schema } from '../custom/schema.js';
import type { Steps } from '../pipeline/steps.js';

/** One column of a Table answer. */
export interface TableColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  /** Computes the cell. */
  readonly cell: (object: KubeObject, now: number) => unknown;
}

/** Tells what is wrong with an object, at once or after it has loaded what that takes. */
export type Causes = (
  object: KubeObject,
  previous: KubeObject | undefined,
) => readonly StatusCause[] | Steps<readonly StatusCause[]>;

/** One served resource in one version: what the pipeline must know to handle it. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Where objects are kept: `group/plural`. Versions of one resource share it, and so do the two groups of events. */
  readonly storage: string;
  readonly status: boolean;
  readonly scale: boolean;
  /** Whether a change outside metadata raises metadata.generation. */
  readonly generation: boolean;
  /** What raises the generation when it changes, where that is not the specification of a built-in resource. */
  readonly generationOf?: (object: KubeObject) => unknown;
  /** PUT creates an absent object. */
  readonly createOnUpdate: boolean;
  /** PUT without resourceVersion is let through. */
  readonly unconditionalUpdate: boolean;
  /** DELETE answers with the object and not with a Status. */
  readonly deleteReturnsObject: boolean;
  /** What becomes of dependents where a DELETE does not say so, if not that the garbage collector deletes them. */
  readonly defaultPropagation?: 'Orphan';
  /** Verbs; an empty list is a resource that exists only for its subresources. */
  readonly verbs: readonly string[];
  /** Field labels beside metadata.name and metadata.namespace, with the path of each. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What a field selector takes for a field that is absent, where that is not the empty text. */
  readonly absentFields?: Readonly<Record<string, string>>;
  readonly columns: readonly TableColumn[];
  /** What a row of a Table says of the state of its object, where that is over. */
  readonly rowConditions?: (object: KubeObject) => JsonObject[] | undefined;
  /** Nothing is stored: a create is a question, and its answer is all there is. */
  readonly virtual?: true;
  /** Which characters names may have. */
  readonly nameRule: 'subdomain' | 'label' | 'path';
  /** Fills in what an incoming object of a built-in type leaves out; its sender owns that too. */
  readonly defaults?: (object: KubeObject) => void;
  /** Changes an incoming object before validation, in what the server decides on. Nobody owns that. */
  readonly prepare?: (object: KubeObject, previous: KubeObject | undefined) => void;
  /** Changes the new status of an object before validation. */
  readonly prepareStatus?: (object: KubeObject) => void;
  /** What is wrong with the content of an object, beyond its metadata, or with how it was changed. */
  readonly causes?: Causes;
  /** What an invalid object is called, where that is not its own kind. */
  readonly invalidAs?: { readonly group: string; readonly kind: string };
  /** Turns a stored object into this version. */
  readonly fromStorage?: (object: KubeObject) => KubeObject;
  /** Turns an object of this version into the stored form. */
  readonly toStorage?: (object: KubeObject) => KubeObject;
  /**
   * What objects are made of. That of a built-in type is read when it is first asked for; it may contain itself
   * (CustomResourceDefinition), and must not be changed.
   */
  readonly schema: Schema;
  /** What answers warn of, for a version that is on its way out. */
  readonly deprecation?: string;
  /** Set for resources that come from a CustomResourceDefinition. */
  readonly custom?: CustomVersion;
}

export const groupVersion = (type: { group: string; version: string }): string =>
  type.group === '' ? type.version : `${type.group}/${type.version}`;

export const storageOf = (group: string, plural: string): string => `${group}/${plural}`;

/** The key under which the store keeps an object. */
export const keyOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;

export type { JsonObject };
