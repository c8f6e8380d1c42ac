import type { StatusCause } from '../../status.js';
import { forbiddenCause } from '../field-causes.js';
import type { Schema } from '../schema.js';
import { ruleShapeCauses } from './rule-shapes.js';
import type { RuleSite } from './rule-site.js';
import { keywordCauses, mergeCauses } from './schema-keywords.js';
import { alternatives, itemSchema, memberSchema, propertiesOf, type WrittenSchema } from './written-schema.js';

/** What is wrong with the parts of a schema, each for itself, and where rules can be looked at. */
export interface CheckedParts {
  readonly causes: readonly StatusCause[];
  /** Parts with rules that are not wrong otherwise; inner ones come first. */
  readonly sites: readonly RuleSite[];
}

/** Where a part is. */
interface Surroundings extends Pick<RuleSite, 'uncorrelatable' | 'cardinality'> {
  readonly isRoot: boolean;
  /** Within apiVersion, kind or metadata. */
  readonly inMeta: boolean;
  /** Why it cannot have a default. */
  readonly noDefaults: string | undefined;
  /** Whether rules are possible. */
  readonly rules: boolean;
}

export function checkParts(schema: WrittenSchema, path: string): CheckedParts {
  const check = new PartsCheck();
  check.visit(schema, path, {
    isRoot: true,
    inMeta: false,
    noDefaults: undefined,
    rules: true,
    uncorrelatable: undefined,
    cardinality: 1,
  });
  return check;
}

const typeMeta = new Set(['apiVersion', 'kind', 'metadata']);

class PartsCheck implements CheckedParts {
  readonly causes: StatusCause[] = [];
  readonly sites: RuleSite[] = [];

  visit(schema: WrittenSchema, path: string, here: Surroundings): void {
    const before = this.causes.length;
    this.causes.push(...keywordCauses(schema, path));
    if (schema.default !== undefined && here.noDefaults !== undefined) {
      this.causes.push(forbiddenCause(`${path}.default`, `must not be set ${here.noDefaults}`));
    }
    if (here.inMeta && schema['x-kubernetes-embedded-resource'] === true) {
      const why = 'must not be used inside of resource meta';
      this.causes.push(forbiddenCause(`${path}.x-kubernetes-embedded-resource`, why));
    }
    this.#visitChildren(schema, path, { ...here, isRoot: false }, here.isRoot);
    this.causes.push(...mergeCauses(schema, path));
    const { 'x-kubernetes-validations': rules = [] } = schema;
    if (rules.length === 0) return;
    const structural = schema as Schema;
    this.causes.push(...ruleShapeCauses(structural, path));
    // Rules of a part that is wrong say nothing that helps.
    if (!here.rules || this.causes.length > before) return;
    const { cardinality, uncorrelatable } = here;
    const resource = here.isRoot || schema['x-kubernetes-embedded-resource'] === true;
    this.sites.push({ schema: structural, path, resource, cardinality, uncorrelatable });
  }

  #visitChildren(schema: WrittenSchema, path: string, within: Surroundings, isRoot: boolean): void {
    const members = memberSchema(schema);
    if (members !== undefined) {
      this.visit(members, `${path}.additionalProperties`, {
        ...within,
        noDefaults: within.inMeta ? 'inside additionalProperties applying to object metadata' : within.noDefaults,
        cardinality: times(within.cardinality, schema.maxProperties),
      });
    }
    const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
    const uncorrelatable =
      schema['x-kubernetes-map-type'] === 'atomic' ? (within.uncorrelatable ?? path) : within.uncorrelatable;
    for (const [name, property] of propertiesOf(schema)) {
      const isMeta = isResource && typeMeta.has(name);
      this.visit(property, `${path}.properties[${name}]`, {
        ...within,
        uncorrelatable,
        inMeta: within.inMeta || isMeta,
        noDefaults: isMeta && isRoot ? `in top-level ${name}` : within.noDefaults,
      });
    }
    for (const [place, one] of alternatives(schema)) this.visit(one, `${path}.${place}`, { ...within, rules: false });
    const items = itemSchema(schema);
    if (items !== undefined) {
      this.visit(items, `${path}.items`, {
        ...within,
        uncorrelatable:
          schema['x-kubernetes-list-type'] === 'map' ? within.uncorrelatable : (within.uncorrelatable ?? path),
        cardinality: times(within.cardinality, schema.maxItems),
      });
    }
  }
}

const times = (cardinality: number | undefined, most: number | undefined): number | undefined =>
  cardinality === undefined || most === undefined ? undefined : cardinality * Math.max(0, most);
