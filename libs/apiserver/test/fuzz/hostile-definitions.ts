import type { Dice } from './dice.js';

const patterns = [
  ['^a.*$', '(', '[a-', '^(a+)+$', '(a|a)*$', '(?=a)b', '\\p{Greek}', '[[:alpha:]]', '\\pN', '(?i)x', '.{1000}', '\\'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', '(?P<n>a)', '\\Qa.b\\E', '(?:(?:(?:a*)*)*)*', 'a{2,1}', '^$', ''],
].flat();

const rules = [
  ['true', 'false', 'self == self', 'size(self) < 10', 'self.all(x, x == x)', '1 / 0 == 1', 'self', '', '(', "'"],
  ['self.nothing', 'oldSelf == self', 'self.spec.a', 'has(self.a) && self.a', "self.matches('(a+)+$')", 'null'],
  [
    "self.matches('(')",
    'quantity("x").isLessThan(quantity("1"))',
    'ip("1").family() == 4',
    'self.map(x, [x, x]) != []',
  ],
  ['self.all(a, self.all(b, self.all(c, self.all(d, a == b))))', '9223372036854775807 + 1 > 0', '1u - 2u > 0u'],
  [
    '"\\uD800"',
    'self.foo.bar.baz[0]["x"]',
    'duration("1h") > duration("x")',
    'type(self) == string',
    '@',
    'self ? 1 : 2',
  ],
  ['[1, 2, 3].exists(x, x > 2)', '{"a": 1}.a == 1', 'dyn(self) == 1', 'self.startsWith("a") || self.endsWith("b")'],
  [`${'('.repeat(300)}true${')'.repeat(300)}`, `${'!'.repeat(2_000)}true`, Array(500).fill('true').join(' && ')],
  [`[${'['.repeat(200)}${']'.repeat(200)}] == []`, `"${'x'.repeat(5_000)}" != ""`, 'true ? '.repeat(100) + '1'],
].flat();

const formats = [
  'date-time',
  'date',
  'int32',
  'int64',
  'byte',
  'uuid',
  'ipv4',
  'cidr',
  'email',
  'duration',
  'nonsense',
];

const types = ['object', 'object', 'array', 'string', 'integer', 'number', 'boolean'];

/** A schema. The tamer, the more likely is it one that the server takes. */
function schema(dice: Dice, depth: number, tame: boolean): Record<string, unknown> {
  const type = dice.pick(tame ? types : [...types, 'null', 'x', undefined]);
  const out: Record<string, unknown> = type === undefined ? {} : { type };
  const deeper = (): Record<string, unknown> => (depth > 0 ? schema(dice, depth - 1, tame) : { type: 'string' });
  const add = (probability: number, key: string, make: () => unknown): void => {
    if (dice.chance(tame && probability < 0.5 ? probability / 6 : probability)) out[key] = make();
  };
  if (tame && type === 'array') out['items'] = deeper();
  if (type === 'object' || (!tame && dice.chance(0.1))) {
    add(0.7, 'properties', () =>
      Object.fromEntries(dice.many(3, () => [dice.pick(['a', 'b', 'c', 'x-y', '__proto__', '']), deeper()])),
    );
    add(0.2, 'additionalProperties', () => (dice.chance(0.5) ? dice.chance(0.5) : deeper()));
    add(0.2, 'required', () => dice.many(2, () => dice.pick(['a', 'b', 'a', ''])));
    add(0.1, 'x-kubernetes-preserve-unknown-fields', () => dice.pick([true, false, 'x']));
    add(0.1, 'x-kubernetes-map-type', () => dice.pick(['atomic', 'granular', 'x']));
    add(0.05, 'x-kubernetes-embedded-resource', () => true);
    add(0.1, 'maxProperties', () => dice.leaf());
  }
  if (type === 'array' || (!tame && dice.chance(0.1))) {
    add(0.8, 'items', () => (dice.chance(0.05) ? [deeper()] : deeper()));
    add(0.3, 'x-kubernetes-list-type', () => dice.pick(['set', 'map', 'atomic', 'x']));
    add(0.2, 'x-kubernetes-list-map-keys', () => dice.many(2, () => dice.pick(['a', 'b', 'nope'])));
    add(0.3, 'maxItems', () => dice.pick([0, 3, 1_000_000, -1]));
    add(0.1, 'uniqueItems', () => dice.chance(0.5));
  }
  if (type === 'string' || (!tame && dice.chance(0.1))) {
    add(0.4, 'pattern', () => dice.pick(patterns));
    add(0.3, 'format', () => dice.pick(formats));
    add(0.3, 'maxLength', () => dice.pick([0, 5, 100_000, -1]));
    add(0.1, 'minLength', () => dice.leaf());
  }
  if (type === 'integer' || type === 'number' || (!tame && dice.chance(0.1))) {
    add(0.3, 'minimum', () => dice.pick([0, -1, 1e308, 2 ** 60, 0.1]));
    add(0.2, 'exclusiveMinimum', () => dice.pick([true, false]));
    add(0.2, 'multipleOf', () => dice.pick([0, 0.1, 3, -1, 1e-300]));
  }
  add(0.15, 'default', () => dice.value(2));
  add(0.1, 'enum', () => dice.many(3, () => dice.leaf()));
  add(0.1, 'nullable', () => dice.chance(0.7));
  add(0.05, 'x-kubernetes-int-or-string', () => true);
  add(0.05, '$ref', () => '#/definitions/x');
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) add(0.06, junctor, () => dice.many(2, deeper));
  add(0.05, 'not', deeper);
  add(0.25, 'x-kubernetes-validations', () =>
    dice.many(2, () => ({
      rule: dice.pick(rules),
      ...(dice.chance(0.3) ? { message: dice.pick(['no', '', 'a\nb']) } : {}),
      ...(dice.chance(0.2) ? { messageExpression: dice.pick([...rules, '"x"', 'string(self)']) } : {}),
      ...(dice.chance(0.2) ? { reason: dice.pick(['FieldValueInvalid', 'X']) } : {}),
      ...(dice.chance(0.2) ? { fieldPath: dice.pick(['.a', '.a[0]', 'x', '', '.__proto__']) } : {}),
      ...(dice.chance(0.1) ? { optionalOldSelf: dice.chance(0.5) } : {}),
    })),
  );
  return out;
}

/** A definition whose names are sound and whose schemas, rules and columns are anything. */
export function hostileDefinition(dice: Dice, plural: string): Record<string, unknown> {
  const kind = plural[0]!.toUpperCase() + plural.slice(1);
  const tame = dice.chance(0.6);
  const root = { ...schema(dice, 3, tame), ...(dice.chance(0.95) ? { type: 'object' } : {}) };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: root },
    ...(dice.chance(0.3)
      ? { subresources: { status: {}, ...(dice.chance(0.5) ? { scale: dice.object(2) } : {}) } }
      : {}),
    ...(dice.chance(0.3)
      ? {
          additionalPrinterColumns: [
            {
              name: 'C',
              type: dice.pick(['string', 'date', 'x']),
              jsonPath: dice.pick(['.a', '.a[0].b', '[', '.x[?(@.y=="z")]', '']),
            },
          ],
        }
      : {}),
    ...(dice.chance(0.2)
      ? { selectableFields: [{ jsonPath: dice.pick(['.a', '.spec.a', '.metadata.name', '']) }] }
      : {}),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fuzz.example` },
    spec: {
      group: 'fuzz.example',
      scope: dice.pick(['Namespaced', 'Namespaced', 'Cluster']),
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [version],
      ...(dice.chance(0.1) ? { preserveUnknownFields: dice.chance(0.5) } : {}),
    },
  };
}

/** An object that such a definition may take. */
export function hostileInstance(dice: Dice, kind: string): Record<string, unknown> {
  return {
    apiVersion: 'fuzz.example/v1',
    kind,
    metadata: { name: 'x' },
    ...Object.fromEntries(['a', 'b', 'c', 'spec'].map((key) => [key, dice.value(3)])),
  };
}
