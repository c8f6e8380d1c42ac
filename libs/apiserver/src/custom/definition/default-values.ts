import { clone, deepEqual, isObject, type JsonObject } from '../../json.js';
import type { StatusCause } from '../../status.js';
import { decodeEmbedded, EmbeddedError } from '../embedded-decoding.js';
import { invalidCause, shownValue } from '../field-causes.js';
import { prune } from '../pruning.js';
import type { Schema } from '../schema.js';
import type { RuleLibrary } from '../validation-rules.js';
import { embeddedCauses } from '../validation/embedded-objects.js';
import { SchemaCauses } from '../validation/schema-causes.js';
import { SchemaValidator } from '../validation/schema-validator.js';

/**
 * What is wrong with the defaults of a structural schema. Those of the members of maps are not looked at.
 *
 * @param library - needed where the schema has rules
 */
export function defaultCauses(schema: Schema, path: string, library: RuleLibrary | undefined): StatusCause[] {
  const check = new DefaultsCheck(library);
  check.visit(asResource(schema), path, newObject);
  return check.causes;
}

const asResource = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-embedded-resource': true });
const isResource = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** Puts a value of apiVersion, kind or metadata, or a part of it, into an object that is whole otherwise. */
type Surround = (value: unknown) => JsonObject;

const newObject: Surround = (value) => ({
  apiVersion: 'validation/v1',
  kind: 'Validation',
  ...(isObject(value) ? value : {}),
});

/** Within apiVersion, kind or metadata. */
interface Meta {
  readonly root: Schema;
  readonly surround: Surround;
}

class DefaultsCheck {
  readonly causes: StatusCause[] = [];

  constructor(private readonly library: RuleLibrary | undefined) {}

  visit(schema: Schema, path: string, surround: Surround, meta?: Meta): void {
    const inner = isResource(schema) ? undefined : meta;
    const around = isResource(schema) ? newObject : surround;
    if (schema.default !== undefined && schema.default !== null) {
      const at = `${path}.default`;
      this.causes.push(...(inner === undefined ? this.#plain(schema, at) : this.#meta(schema, at, inner)));
    }
    if (schema.items !== undefined) {
      const within = (value: unknown): JsonObject => around([value]);
      this.visit(schema.items, `${path}.items`, within, inner && { ...inner, surround: within });
    }
    for (const name of Object.keys(schema.properties ?? {}).sort()) {
      const within = (value: unknown): JsonObject => around({ [name]: value });
      const isMeta = isResource(schema) && typeMeta.has(name);
      const next = isMeta ? { root: schema, surround: within } : inner && { ...inner, surround: within };
      this.visit(schema.properties![name]!, `${path}.properties[${name}]`, within, next);
    }
  }

  #plain(schema: Schema, at: string): StatusCause[] {
    const causes: StatusCause[] = [];
    const given = schema.default;
    if (hasUnknown(given, schema)) causes.push(invalidCause(at, given, 'must not have unknown fields'));
    const problem = embeddedProblem(given, schema);
    if (problem !== undefined) {
      return [...causes, invalidCause(inField(at, problem.path), problem.value, problem.why)];
    }
    const embedded = embeddedCauses(given, schema, new SchemaCauses(at));
    // Fields of objects in objects are told in another way.
    if (embedded.length > 0) return [...causes, ...embedded.map(inFieldForm(at))];
    return [...causes, ...this.#value(schema, at)];
  }

  #meta(schema: Schema, at: string, { root, surround }: Meta): StatusCause[] {
    const given = schema.default;
    const object = surround(clone(given));
    const problem = embeddedProblem(object, root);
    const wrong =
      problem === undefined
        ? embeddedCauses(object, root, new SchemaCauses('')).map(({ field, message }) => `${field}: ${message}`)
        : [`${problem.path}: Invalid value: ${shownValue(problem.value)}: ${problem.why}`];
    if (wrong.length === 0) return this.#value(schema, at);
    const why = wrong.length === 1 ? wrong[0]! : `[${[...new Set(wrong)].join(', ')}]`;
    return [invalidCause(at, given, `must result in valid metadata: ${why}`)];
  }

  #value(schema: Schema, at: string): StatusCause[] {
    const given = schema.default;
    const causes: StatusCause[] = [];
    new SchemaValidator(new SchemaCauses(at), false).check(given, schema, '', undefined, causes);
    if (causes.length > 0 || this.library === undefined) return causes;
    const { ruleTree, evaluateDefault } = this.library;
    const tree = ruleTree(schema, isResource(schema));
    return tree === undefined ? [] : [...evaluateDefault(tree, given, at)];
  }
}

const typeMeta = new Set(['apiVersion', 'kind', 'metadata']);

function hasUnknown(value: unknown, schema: Schema): boolean {
  // Lists and maps are pruned like a member of an object.
  const whole = { value: clone(value) };
  prune(whole, { type: 'object', properties: { value: schema } });
  return !deepEqual(whole.value, value);
}

function embeddedProblem(value: unknown, schema: Schema): EmbeddedError | undefined {
  const whole: JsonObject = { value: clone(value) };
  try {
    decodeEmbedded(whole, { type: 'object', properties: { value: schema } });
    return undefined;
  } catch (error) {
    if (!(error instanceof EmbeddedError)) throw error;
    return new EmbeddedError(error.path.replace(/^value\.?/, ''), error.value, error.why);
  }
}

const inField = (at: string, path: string): string =>
  path === '' || path.startsWith('[') ? `${at}${path}` : `${at}.${path}`;

const inFieldForm =
  (at: string) =>
  (cause: StatusCause): StatusCause => ({ ...cause, field: inField(at, cause.field!.slice(at.length + 1)) });
