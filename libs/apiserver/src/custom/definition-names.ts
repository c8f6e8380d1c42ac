import { isObject, type JsonObject, type KubeObject } from '../json.js';
import type { Definition } from './crd-type.js';

/** What came of the names that a definition asks for. */
export interface NameDecision {
  readonly acceptedNames: JsonObject;
  /** Set where some of the names are those of another definition. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

const acceptedOf = (definition: KubeObject): JsonObject => {
  const status = definition['status'];
  const accepted = isObject(status) ? status['acceptedNames'] : undefined;
  return isObject(accepted) ? accepted : { plural: '', kind: '' };
};

const shortNames = (names: JsonObject): string[] =>
  Array.isArray(names['shortNames']) ? names['shortNames'].filter((name) => typeof name === 'string') : [];

const inUse = (names: readonly string[]): string =>
  names.map((name) => `${JSON.stringify(name)} is already in use`).join(', ');

/** Decides which of its names a definition may have, as each name of a group is had by one definition only. */
export function decideNames(definition: Definition, all: readonly KubeObject[]): NameDecision {
  const { group, names } = definition.spec;
  const others = all
    .filter((other) => other.metadata.uid !== definition.metadata.uid && (other as Definition).spec.group === group)
    .map(acceptedOf);
  const words = new Set(others.flatMap((other) => [other['plural'], other['singular'], ...shortNames(other)]));
  const kinds = new Set(others.flatMap((other) => [other['kind'], other['listKind']]));
  const before = acceptedOf(definition);
  const accepted: JsonObject = { ...before };
  let conflict: NameDecision['conflict'];
  const wanted = names as unknown as JsonObject;
  const decide = (field: string, taken: ReadonlySet<unknown>, reason: string): void => {
    const name = wanted[field];
    if (typeof name !== 'string' || name === '') return;
    if (name !== before[field] && taken.has(name)) conflict = { reason, message: inUse([name]) };
    else accepted[field] = name;
  };
  decide('plural', words, 'PluralConflict');
  decide('singular', words, 'SingularConflict');
  const had = new Set(shortNames(before));
  const clashes = shortNames(wanted).filter((name) => !had.has(name) && words.has(name));
  if (clashes.length > 0) conflict = { reason: 'ShortNamesConflict', message: inUse(clashes) };
  else if (shortNames(wanted).length > 0) accepted['shortNames'] = shortNames(wanted);
  else delete accepted['shortNames'];
  decide('kind', kinds, 'KindConflict');
  decide('listKind', kinds, 'ListKindConflict');
  if (Array.isArray(wanted['categories']) && wanted['categories'].length > 0) {
    accepted['categories'] = wanted['categories'];
  } else delete accepted['categories'];
  return { acceptedNames: accepted, conflict };
}
