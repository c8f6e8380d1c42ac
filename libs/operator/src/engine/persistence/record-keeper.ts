import type { FieldPath } from '../json/field-path.js';
import type { StoredObject } from '../kube-object.js';
import { apiVersionOf, type Resource } from '../resource.js';
import { newRecord, type ObjectRecord } from './object-record.js';
import { recordAnnotation, recordBudget } from './record-annotation.js';
import { decodeRecord, encodeRecord } from './record-codec.js';

export interface RecordKeeperOptions {
  readonly operator: string;
  readonly formerNames: readonly string[];
  readonly resource: Resource;
  /** Handlers that progress is kept for. */
  readonly handlers: readonly string[];
  readonly watched: readonly FieldPath[];
  /** Ids of earlier releases, and what they are now. */
  readonly formerIds?: ReadonlyMap<string, string>;
}

/** Reads and writes the record in an annotation of the object. */
export class RecordKeeper {
  readonly annotation: string;
  /** What records are kept in: states of another version have another shape. */
  readonly apiVersion: string;
  readonly #options: RecordKeeperOptions;
  readonly #former: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #digestsOnly: boolean;

  constructor(options: RecordKeeperOptions) {
    const { operator, formerNames, resource } = options;
    this.#options = options;
    this.annotation = recordAnnotation(operator, resource.plural);
    this.apiVersion = apiVersionOf(resource);
    this.#former = formerNames.map((name) => recordAnnotation(name, resource.plural));
    this.#known = new Set(options.handlers);
    this.#digestsOnly = resource.group === '' && resource.plural === 'secrets';
  }

  /** The text of the object's own record. A copy of another object's record is not its own. */
  read(object: StoredObject): { readonly text: string; readonly record: ObjectRecord } | undefined {
    const { annotations, uid } = object.metadata;
    for (const name of [this.annotation, ...this.#former]) {
      const text = annotations?.[name];
      const record = text === undefined ? undefined : this.decode(text, uid);
      if (text !== undefined && record !== undefined) return { text, record };
    }
    return undefined;
  }

  decode(text: string, uid: string): ObjectRecord | undefined {
    return decodeRecord(text, uid, this.#known, this.#options.formerIds);
  }

  /** The record of an object that was never handled. */
  create(object: StoredObject): ObjectRecord {
    return newRecord(object.metadata.uid, this.apiVersion, this.#known);
  }

  /** What to set so that the object carries this record, and no other under a former name. */
  annotations(text: string, object: StoredObject): Readonly<Record<string, string | null>> {
    const former = this.#former.filter((name) => object.metadata.annotations?.[name] !== undefined);
    return { [this.annotation]: text, ...Object.fromEntries(former.map((name) => [name, null])) };
  }

  /** The text to store; `undefined` when the object has no room for any. */
  encode(record: ObjectRecord, object: StoredObject): string | undefined {
    const budget = recordBudget(object, this.annotation, this.#options.resource.plural);
    if (budget === 0) return undefined;
    return encodeRecord(record, {
      budget,
      watched: this.#options.watched,
      handlers: this.#known,
      digestsOnly: this.#digestsOnly,
    });
  }
}
