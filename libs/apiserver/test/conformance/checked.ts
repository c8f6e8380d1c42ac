import type { JsonObject } from '../../src/index.js';
import { definition, share, version } from './definitions.js';
import type { Session } from './session.js';

const group = 'validation.example.com';

const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const map = (values: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: values,
  ...more,
});

/** The formats that a schema can name, and one that it cannot. */
export const formats = [
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'date-time',
  'datetime',
  'k8s-short-name',
  'k8s-long-name',
  'unknown',
];

const port = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: '^[a-z]+$',
};

/** One member of the specification per keyword or matter, so that a case sets only what it is about. */
const spec: JsonObject = {
  least: { ...integer, minimum: 2 },
  most: { ...integer, maximum: 5 },
  between: { ...number, minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
  third: { ...number, multipleOf: 0.5 },
  seven: { ...integer, multipleOf: 7 },
  int32: { ...integer, format: 'int32' },
  int64: { ...integer, format: 'int64' },
  float: { ...number, format: 'float' },
  double: { ...number, format: 'double' },
  short: { ...text, minLength: 2, maxLength: 4 },
  like: { ...text, pattern: '^[a-z]+(-\\d{2,})?$' },
  choice: { ...text, enum: ['a', 'b c', ''] },
  level: { ...integer, enum: [1, 3, 5] },
  half: { ...number, enum: [0.5, 1] },
  flag: boolean,
  flags: list(boolean),
  mixed: { 'x-kubernetes-preserve-unknown-fields': true, enum: ['x', 1, null, { a: 1 }] },
  few: list(text, { minItems: 1, maxItems: 3 }),
  none: list(text, { maxItems: 0 }),
  matrix: list(list({ ...integer, minimum: 0 })),
  needs: object({ a: text, b: object({ c: text, d: text }, { required: ['c', 'd'] }) }, { required: ['a', 'b'] }),
  counted: map(integer, { minProperties: 1, maxProperties: 2 }),
  labels: map({ ...text, maxLength: 3 }),
  nested: map(list(object({ n: { ...integer, maximum: 9 } }))),
  anything: map({ 'x-kubernetes-preserve-unknown-fields': true }),
  all: { ...text, allOf: [{ minLength: 3 }, { pattern: '^a' }] },
  any: { ...integer, anyOf: [{ maximum: 1 }, { minimum: 9 }] },
  one: { ...integer, oneOf: [{ maximum: 5 }, { minimum: 3 }] },
  not: { ...text, not: { enum: ['bad'] } },
  union: object(
    { a: integer, b: integer, c: integer },
    { oneOf: [{ required: ['a'] }, { required: ['b'], properties: { c: { minimum: 3 } } }] },
  ),
  either: object({ a: integer, b: integer }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  deepNot: object({ a: text, b: text }, { not: { required: ['a', 'b'] } }),
  maybe: { ...text, nullable: true, maxLength: 3 },
  maybeObject: object({ a: { ...text, default: 'x' } }, { nullable: true }),
  maybeDefault: { ...text, nullable: true, default: 'd' },
  port: { 'x-kubernetes-int-or-string': true },
  strictPort: port,
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: integer } },
  openAny: { 'x-kubernetes-preserve-unknown-fields': true },
  openInner: object({ inner: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, a: text }),
  object: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  },
  pod: object(
    {
      spec: object({ image: { ...text, default: 'none' }, replicas: integer }),
      metadata: object({ name: { ...text, maxLength: 3 } }),
    },
    { 'x-kubernetes-embedded-resource': true },
  ),
  set: list(text, { 'x-kubernetes-list-type': 'set' }),
  numbers: list(integer, { 'x-kubernetes-list-type': 'set' }),
  objects: list(object({ a: integer }, { 'x-kubernetes-map-type': 'atomic' }), { 'x-kubernetes-list-type': 'set' }),
  keyed: list(object({ port: integer, protocol: { ...text, default: 'TCP' }, name: text }, { required: ['port'] }), {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
  }),
  defaults: object({
    a: { ...text, default: 'da' },
    b: object({ c: { ...integer, default: 3 } }),
    e: object({ f: { ...boolean, default: true } }, { default: {} }),
    g: list(object({ h: { ...text, default: 'dh' } })),
    i: map(object({ j: { ...text, default: 'dj' } })),
    k: list(integer, { default: [1, 2] }),
    l: object({ m: text, n: { ...text, default: 'dn' } }, { default: { m: 'dm' } }),
    o: { 'x-kubernetes-int-or-string': true, default: 80 },
    p: { ...number, default: 1.5 },
  }),
  required: object({ a: { ...text, default: 'da' }, b: text }, { required: ['a', 'b'] }),
  ...Object.fromEntries(formats.map((format) => [`format-${format}`, { ...text, format }])),
};

const status: JsonObject = object({
  phase: { ...text, enum: ['Good', 'Bad'] },
  replicas: integer,
  count: { ...integer, minimum: 0 },
});

const schema: JsonObject = {
  required: ['spec'],
  properties: {
    spec: object(spec),
    status,
    metadata: { type: 'object', properties: { name: { ...text, maxLength: 20, pattern: '^[a-z.0-9-]+$' } } },
    top: { ...integer, default: 7 },
  },
};

const subresources = { status: {}, scale: { specReplicasPath: '.spec.least', statusReplicasPath: '.status.replicas' } };

const checkeds = definition(group, 'Checked', [version('v1', schema, { subresources })]);

/** The path of the objects whose schema has every keyword, of the case's namespace. */
export async function checkedsOf(s: Session): Promise<string> {
  await share(s.target, checkeds);
  return `/apis/${group}/v1/namespaces/${s.namespace}/checkeds`;
}

export const checked = (members: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Checked',
  metadata: { name: 'a', ...metadata },
  spec: members,
});
