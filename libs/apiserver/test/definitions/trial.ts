import type { JsonObject } from '../../src/index.js';
import type { DefinitionUse } from './definition-use.js';

/** An object of a definition, and what happens to it. The real server and the embedded one must do the same. */
export interface Trial {
  /** Names the file of the definition. */
  readonly plural: string;
  /** What the definition is an example of. */
  readonly shape: string;
  /** What is created besides name and type. */
  readonly object: JsonObject;
  /** What is stored of it, with the defaults. */
  readonly stored: JsonObject;
  /** Whether it has a default in its status: a creation stores no status, so that only the next write stores it. */
  readonly storesDefaultsLater?: boolean;
  /** Warnings that come with the creation. */
  readonly warnings?: readonly string[];
  readonly changes: Readonly<Record<string, Changed>>;
  readonly refusals: Readonly<Record<string, Refused>>;
  /** What else there is to it. */
  readonly further?: Readonly<Record<string, (use: DefinitionUse) => Promise<void>>>;
}

/** A merge patch of the stored object. */
export interface Changed {
  readonly patch: JsonObject;
  /** What it is afterwards, besides metadata. */
  readonly stored: JsonObject;
  /** Whether that is another generation; true unless something else is said. */
  readonly again?: boolean;
}

/** A merge patch of the stored object, or something to create, that is not taken. */
export interface Refused {
  readonly patch?: JsonObject;
  readonly object?: JsonObject;
  /** Every cause, as field and message. */
  readonly causes: readonly string[];
}

/** The cause that tells of rules that had to be left out. */
export const unchecked =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; ' +
  'correct the existing errors to complete validation';
