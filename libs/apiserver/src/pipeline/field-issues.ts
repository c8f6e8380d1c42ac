import { goQuote } from '../cel/library/go-quote.js';
import type { JsonObject } from '../json.js';
import { yamlLibrary } from '../lazy-modules.js';
import { hasDuplicates, jsonMembers } from '../schemas/json-members.js';
import type { DecodingSource } from '../schemas/typed-decoding.js';
import type { FieldValidation } from './write-options.js';

const unknownField = (path: string): string => `unknown field ${goQuote(path)}`;
/** What is no text any more is not looked at when it is put between quotes. */
const plainly = (path: string): string => `unknown field "${path}"`;

/**
 * What field validation finds: members that were dropped because they are unknown, and members that are there twice in
 * a JSON text. Without a text there are none.
 */
export function issuesOf(
  text: string | undefined,
  unknown: readonly string[],
  custom: boolean,
  source: DecodingSource = 'json',
): readonly string[] {
  if (source === 'unstructured') {
    const members = text === undefined ? [] : jsonMembers(text, () => false);
    const duplicates = members.filter(({ duplicate }) => duplicate).map(({ path }) => duplicateField(path));
    return [...duplicates, ...unknown.map(plainly)];
  }
  if (text === undefined) return unknown.map(custom ? plainly : unknownField);
  const left = new Set(unknown);
  // The real server reads the text of a custom object without its schema, and that of others with it.
  const members = jsonMembers(text, (path) => !custom && left.has(path));
  if (custom) {
    const duplicates = members.filter(({ duplicate }) => duplicate).map(({ path }) => duplicateField(path));
    return [...duplicates, ...unknown.map(plainly)];
  }
  return members
    .filter(({ path, duplicate }) => duplicate !== left.has(path))
    .map(({ path, duplicate }) => (duplicate ? duplicateField(path) : unknownField(path)));
}

const duplicateField = (path: string): string => `duplicate field ${goQuote(path)}`;

/** Keys that stand twice in a mapping of a YAML text, with the lines of the later ones. */
export function yamlDuplicates(text: string): readonly string[] {
  const { LineCounter, parseDocument } = yamlLibrary();
  const lineCounter = new LineCounter();
  const { errors } = parseDocument(text, { version: '1.1', logLevel: 'silent', prettyErrors: false, lineCounter });
  return errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => {
      const key = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^:\n]*))/.exec(text.slice(start));
      const name = (key?.[1] ?? key?.[2] ?? key?.[3] ?? '').trim();
      return `line ${lineCounter.linePos(start).line}: key ${goQuote(name)} already set in map`;
    });
}

/** What a strict request is refused with; undefined when there is nothing wrong. */
export function strictError(yaml: readonly string[], issues: readonly string[]): string | undefined {
  const all = yaml.length === 0 ? issues : [`yaml: unmarshal errors:\n  ${yaml.join('\n  ')}`, ...issues];
  return all.length === 0 ? undefined : `strict decoding error: ${all.join(', ')}`;
}

/**
 * Collects warnings of what was found, or throws what `refuse` makes of it, as the request wants it.
 */
export function reportIssues(
  validation: FieldValidation,
  warnings: string[],
  issues: readonly string[],
  refuse: (message: string) => Error,
  yaml: readonly string[] = [],
): void {
  if (validation === 'Ignore') return;
  const message = validation === 'Strict' ? strictError(yaml, issues) : undefined;
  if (message !== undefined) throw refuse(message);
  if (validation === 'Warn') warnings.push(...yaml, ...issues);
}

const operationFields = new Set(['op', 'path', 'from', 'value']);

/** What field validation finds in the text of a JSON patch itself. */
export function jsonPatchIssues(text: string, patch: readonly JsonObject[]): readonly string[] {
  const foreign = patch.some((operation) => Object.keys(operation).some((field) => !operationFields.has(field)));
  if (!foreign && !hasDuplicates(text, patch)) return [];
  const isForeign = (path: string): boolean => {
    const field = /^\[\d+\]\.([^.[]+)$/.exec(path)?.[1];
    return field !== undefined && !operationFields.has(field);
  };
  return jsonMembers(text, isForeign)
    .filter(({ path, duplicate }) => duplicate !== isForeign(path))
    .map(({ path, duplicate }) => `json patch ${duplicate ? duplicateField(path) : unknownField(path)}`);
}
