import { isBigNumber, isObject, type KubeObject } from '../json.js';
import { errors } from '../status.js';

type Shape = 'string' | 'boolean' | 'number' | 'any' | { list: Shape } | { map: Shape } | { fields: Fields };
interface Fields {
  readonly [name: string]: Shape | (() => Shape);
}

const strings: Shape = { list: 'string' };

const each = (shape: Shape, ...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, shape]));

// A function where shapes contain each other.
const schema: Shape = {
  fields: {
    ...each('string', 'type', 'format', 'pattern', 'description', 'title'),
    ...each('string', 'x-kubernetes-list-type', 'x-kubernetes-map-type'),
    ...each('boolean', 'nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems'),
    ...each('boolean', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'),
    ...each('boolean', 'x-kubernetes-int-or-string'),
    ...each('number', 'minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength'),
    ...each('number', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
    required: strings,
    'x-kubernetes-list-map-keys': strings,
    'x-kubernetes-validations': { list: { fields: {} } },
    enum: { list: 'any' },
    default: 'any',
    properties: () => ({ map: schema }),
    items: () => schema,
    allOf: () => ({ list: schema }),
    anyOf: () => ({ list: schema }),
    oneOf: () => ({ list: schema }),
    not: () => schema,
  },
};

const definition: Shape = {
  fields: {
    spec: {
      fields: {
        group: 'string',
        scope: 'string',
        preserveUnknownFields: 'boolean',
        names: {
          fields: {
            plural: 'string',
            singular: 'string',
            kind: 'string',
            listKind: 'string',
            shortNames: strings,
            categories: strings,
          },
        },
        conversion: { fields: { strategy: 'string', webhook: { fields: {} } } },
        versions: {
          list: {
            fields: {
              name: 'string',
              served: 'boolean',
              storage: 'boolean',
              deprecated: 'boolean',
              deprecationWarning: 'string',
              schema: { fields: { openAPIV3Schema: schema } },
              subresources: {
                fields: {
                  status: { fields: {} },
                  scale: {
                    fields: { specReplicasPath: 'string', statusReplicasPath: 'string', labelSelectorPath: 'string' },
                  },
                },
              },
              additionalPrinterColumns: {
                list: {
                  fields: {
                    name: 'string',
                    type: 'string',
                    jsonPath: 'string',
                    format: 'string',
                    description: 'string',
                    priority: 'number',
                  },
                },
              },
              selectableFields: { list: { fields: { jsonPath: 'string' } } },
            },
          },
        },
      },
    },
    status: {
      fields: { conditions: { list: { fields: {} } }, storedVersions: strings, acceptedNames: { fields: {} } },
    },
  },
};

/** Refuses a CustomResourceDefinition whose members have wrong types; nulls count as absent and are removed. */
export function checkDefinitionShape(object: KubeObject): void {
  check(object, definition, 'CustomResourceDefinition', object);
}

function check(value: unknown, shape: Shape, path: string, root: KubeObject): void {
  const fail = (wanted: string): never => {
    const found = Array.isArray(value) ? 'array' : isBigNumber(value) ? 'number' : typeof value;
    throw errors.badRequest(
      `${root.kind} in version "v1" cannot be handled as a ${root.kind}: json: cannot unmarshal ${found} into Go struct field ${path} of type ${wanted}`,
    );
  };
  if (shape === 'any') return;
  if (typeof shape === 'string') {
    if (typeof value !== shape) fail(shape);
    return;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return fail('array');
    for (const item of value) check(item, shape.list, path, root);
    return;
  }
  if (!isObject(value)) return fail('object');
  for (const key of Object.keys(value)) {
    const known = 'map' in shape ? shape.map : Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (known === undefined) continue;
    if (value[key] === null && known !== 'any') delete value[key];
    else check(value[key], typeof known === 'function' ? known() : known, `${path}.${key}`, root);
  }
}
