import type { FieldPath } from '../json/field-path.js';
import { combineMergePatches } from '../json/merge-patch.js';
import type { StoredObject } from '../kube-object.js';
import { apiVersionOf, type Resource } from '../resource.js';
import type { KopfState } from './kopf-state.js';
import { newRecord, type ObjectRecord } from './object-record.js';
import { largestRecord, recordAnnotation, recordBudget } from './record-annotation.js';
import { decodeRecord, encodeRecord } from './record-codec.js';
import { recordField, recordInStatus, statusWithRecords } from './record-field.js';
import type { RecordPlace } from './record-store.js';

/** Where records are kept, and how large they may be: on the object, or up to `maxBytes` in a store of its own. */
export type RecordHome = RecordPlace | { readonly maxBytes: number };

export interface RecordKeeperOptions {
  readonly operator: string;
  readonly formerNames: readonly string[];
  readonly resource: Resource;
  /** Handlers that progress is kept for. */
  readonly handlers: readonly string[];
  readonly watched: readonly FieldPath[];
  /** Ids of earlier releases, and what they are now. */
  readonly formerIds?: ReadonlyMap<string, string>;
  /** @defaultValue 'annotations' */
  readonly home?: RecordHome;
  /** Reads what an operator written with Kopf left, where there is no record. */
  readonly kopf?: KopfState | undefined;
}

/** A record, and the text that it was read from; `undefined` when it was read from what Kopf left. */
export interface FoundRecord {
  readonly text: string | undefined;
  readonly record: ObjectRecord;
}

/** What is to be written on an object for its record; null removes. */
export interface RecordWrite {
  /** By annotation. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** A merge. */
  readonly status: Readonly<Record<string, unknown>>;
  /** The record in it, whose absence from the answer means that the schema drops it. */
  readonly inStatus?: { readonly operator: string; readonly text: string };
  /** The status goes out after the rest, since it holds the record. */
  readonly statusLast: boolean;
}

/**
 * Reads records, and says what to write for them: the one that knows where on an object they are. What another store left
 * there is read as well, and removed once the record is where it belongs.
 */
export class RecordKeeper {
  readonly annotation: string;
  /** What records are kept in: states of another version have another shape. */
  readonly apiVersion: string;
  readonly #options: RecordKeeperOptions;
  readonly #annotations: readonly string[];
  readonly #operators: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #digestsOnly: boolean;
  #home: RecordHome;

  constructor(options: RecordKeeperOptions) {
    const { operator, formerNames, resource, home = 'annotations' } = options;
    this.#options = options;
    this.#home = home;
    this.annotation = recordAnnotation(operator, resource.plural);
    this.apiVersion = apiVersionOf(resource);
    this.#operators = [operator, ...formerNames];
    this.#annotations = this.#operators.map((name) => recordAnnotation(name, resource.plural));
    this.#known = new Set(options.handlers);
    this.#digestsOnly = resource.group === '' && resource.plural === 'secrets';
  }

  /** Ids of the handlers that progress is kept for. */
  get handlers(): ReadonlySet<string> {
    return this.#known;
  }

  /** Records are on the objects, not in a store of their own. */
  get isOnObject(): boolean {
    return typeof this.#home === 'string';
  }

  /** Where a person finds the record of an object. */
  get place(): string {
    return this.#home === 'status' ? `status.${recordField}` : this.annotation;
  }

  /** The object's own record, as it carries it. A copy of another object's record is not its own. */
  read(object: StoredObject): FoundRecord | undefined {
    for (const text of this.#texts(object)) {
      const record = text === undefined ? undefined : this.decode(text, object.metadata.uid);
      if (text !== undefined && record !== undefined) return { text, record };
    }
    const record = this.#options.kopf?.read(object);
    return record && { text: undefined, record };
  }

  decode(text: string, uid: string): ObjectRecord | undefined {
    return decodeRecord(text, uid, this.#known, this.#options.formerIds);
  }

  /** The record of an object that was never handled. */
  create(object: StoredObject): ObjectRecord {
    return newRecord(object.metadata.uid, this.apiVersion, this.#known);
  }

  /** The text that the object carries where records belong, whatever it is worth. */
  textOn(object: StoredObject): string | undefined {
    const [operator] = this.#operators as [string];
    const annotated = object.metadata.annotations?.[this.annotation];
    if (this.#home === 'status') return recordInStatus(object, operator);
    return this.#home === 'both' ? (annotated ?? recordInStatus(object, operator)) : annotated;
  }

  /** What to set so that the object carries this record, and no other in the same place. */
  writing(text: string, object: StoredObject): RecordWrite {
    const [operator] = this.#operators as [string];
    const others = this.#traces(object, this.#annotations.slice(1), this.#operators.slice(1));
    const inAnnotations = this.#home !== 'status';
    const inStatus = this.#home !== 'annotations';
    return {
      annotations: inAnnotations ? { ...others.annotations, [this.annotation]: text } : {},
      status: inStatus ? combineMergePatches({ ...others.status }, { ...statusWithRecords({ [operator]: text }) }) : {},
      ...(inStatus ? { inStatus: { operator, text } } : {}),
      statusLast: this.#home === 'status',
    };
  }

  /** What to remove once the record is where it belongs: what another store, or Kopf, has left. `undefined`: nothing. */
  leftovers(object: StoredObject): RecordWrite | undefined {
    const { annotations, status } = this.traces(object);
    const left: RecordWrite = {
      annotations: this.#home === 'annotations' || this.#home === 'both' ? {} : annotations,
      status: this.#home === 'status' || this.#home === 'both' ? {} : status,
      statusLast: false,
    };
    return isEmptyWrite(left) ? undefined : left;
  }

  /** What removes everything of this operator from the object, its past included. */
  traces(object: StoredObject): RecordWrite {
    return { ...this.#traces(object, this.#annotations, this.#operators), statusLast: false };
  }

  #traces(
    object: StoredObject,
    annotations: readonly string[],
    operators: readonly string[],
  ): Pick<RecordWrite, 'annotations' | 'status'> {
    const kopf = this.#options.kopf?.traces(object);
    const inStatus = operators.filter((name) => recordInStatus(object, name) !== undefined);
    const records = inStatus.length === 0 ? {} : statusWithRecords(removing(inStatus));
    return {
      annotations: {
        ...removing(annotations.filter((name) => object.metadata.annotations?.[name] !== undefined)),
        ...kopf?.annotations,
      },
      status: { ...kopf?.status, ...records },
    };
  }

  /** The text to store; `undefined` when there is no room for any. */
  encode(record: ObjectRecord, object: StoredObject): string | undefined {
    const budget = this.#budget(object);
    if (budget === 0) return undefined;
    return encodeRecord(record, {
      budget,
      watched: this.#options.watched,
      handlers: this.#known,
      digestsOnly: this.#digestsOnly,
    });
  }

  /** The server drops records from the status: they are kept in annotations from now on. */
  leaveStatus(): void {
    this.#home = 'annotations';
  }

  #budget(object: StoredObject): number {
    if (typeof this.#home !== 'string') return this.#home.maxBytes;
    if (this.#home === 'status') return largestRecord;
    return recordBudget(object, this.annotation, this.#options.resource.plural);
  }

  /** Where the record belongs comes first. Of both, the annotation was written last. */
  #texts(object: StoredObject): Array<string | undefined> {
    const annotated = this.#annotations.map((name) => object.metadata.annotations?.[name]);
    const inStatus = this.#operators.map((name) => recordInStatus(object, name));
    return this.#home === 'status' ? [...inStatus, ...annotated] : [...annotated, ...inStatus];
  }
}

export function isEmptyWrite({ annotations, status }: RecordWrite): boolean {
  return Object.keys(annotations).length === 0 && Object.keys(status).length === 0;
}

function removing(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
