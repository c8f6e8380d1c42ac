import type { JsonObject } from '../../src/index.js';
import { definition, share, version } from './definitions.js';
import type { Session } from './session.js';

const group = 'rules.example.com';

const text = { type: 'string', maxLength: 100 };
const integer = { type: 'integer' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  maxItems: 10,
  items,
  ...more,
});

/** A schema with rules, each with nothing but its expression. */
const ruled = (schema: JsonObject, ...rules: readonly (string | JsonObject)[]): JsonObject => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

/** One member of the specification per matter, so that a case sets only what it is about. */
const spec: JsonObject = {
  limits: ruled(object({ min: integer, max: integer }), {
    rule: 'self.min <= self.max',
    message: 'min must not exceed max',
  }),
  bare: ruled(integer, 'self > 0', '  self < 10\n'),
  several: ruled(
    object({ a: ruled(integer, { rule: 'self % 2 == 0', message: 'odd' }), b: integer }),
    { rule: 'self.a != 3', message: 'three' },
    { rule: 'self.b != 3', message: 'b is three' },
  ),
  told: ruled(
    object({ size: integer, name: text }),
    { rule: 'self.size < 10', messageExpression: '"size is %d".format([self.size])' },
    { rule: "self.name != 'empty'", message: 'fallback', messageExpression: "''" },
    { rule: "self.name != 'lines'", message: 'fallback', messageExpression: "'a\\nb'" },
    { rule: "self.name != 'error'", messageExpression: "'x'.substring(5)" },
    { rule: "self.name != 'blank'", message: 'fallback', messageExpression: "'  '" },
  ),
  reasons: ruled(
    object({
      name: text,
      inner: object({ 'a-b': text, list: list(text) }),
      byKey: { type: 'object', maxProperties: 5, additionalProperties: text },
    }),
    { rule: "self.name != 'forbidden'", reason: 'FieldValueForbidden', fieldPath: '.name', message: 'no' },
    { rule: "self.name != 'required'", reason: 'FieldValueRequired', fieldPath: '.inner.list', message: 'needed' },
    { rule: "self.name != 'duplicate'", reason: 'FieldValueDuplicate', fieldPath: '.name' },
    { rule: "self.name != 'invalid'", reason: 'FieldValueInvalid', fieldPath: ".inner['a-b']" },
    { rule: "self.name != 'key'", fieldPath: '.byKey.some' },
    { rule: "self.name != 'plain'", reason: 'FieldValueForbidden' },
  ),
  immutable: ruled(text, { rule: 'self == oldSelf', message: 'it is immutable' }),
  grows: ruled(integer, { rule: 'self >= oldSelf', message: 'it only grows' }),
  first: ruled(
    text,
    { rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true, message: 'begin with first' },
    { rule: "!oldSelf.hasValue() || self != 'never'", optionalOldSelf: true, message: 'not this one later' },
  ),
  climbs: ruled(integer, {
    rule: 'oldSelf.optMap(o, self >= o).orValue(self == 1)',
    optionalOldSelf: true,
    message: 'begin with 1 and climb',
  }),
  stable: ruled(object({ a: text, b: text }), { rule: 'has(oldSelf.a) == has(self.a)', message: 'a stays as it is' }),
  byName: list(
    ruled(object({ name: text, value: integer }, { required: ['name'] }), {
      rule: '!has(oldSelf.value) || self.value >= oldSelf.value',
      message: 'values only grow',
    }),
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  ),
  oldMap: {
    type: 'object',
    maxProperties: 5,
    additionalProperties: ruled(integer, { rule: 'self >= oldSelf', message: 'values only grow' }),
  },
  quantity: ruled(
    text,
    'isQuantity(self)',
    "quantity(self).isLessThan(quantity('1Gi'))",
    "sign(quantity(self).add(quantity('1'))) == 1",
    "quantity(self).compareTo(quantity('500m')) >= 0",
  ),
  address: ruled(
    text,
    'isIP(self)',
    'ip(self).family() == 4',
    '!ip(self).isLoopback()',
    "cidr('10.0.0.0/8').containsIP(self)",
  ),
  network: ruled(
    text,
    'isCIDR(self)',
    'cidr(self).prefixLength() <= 24',
    'cidr(self).masked() == cidr(self)',
    "cidr('10.0.0.0/8').containsCIDR(self)",
    "string(cidr(self).ip()) == self.split('/')[0]",
  ),
  link: ruled(
    text,
    'isURL(self)',
    "url(self).getScheme() == 'https'",
    "url(self).getHostname() == 'example.com'",
    "url(self).getPort() in ['', '8443']",
    "url(self).getEscapedPath() != '/no'",
    "!('x' in url(self).getQuery())",
  ),
  pattern: ruled(
    text,
    "self.matches('^[a-z0-9-]+$')",
    "self.find('[0-9]+') == '42'",
    "self.findAll('[0-9]+').size() < 3",
    "self.findAll('[a-z]', 1).size() == 1",
  ),
  numbers: ruled(
    list(integer),
    'self.isSorted()',
    'self.sum() < 100',
    'self.size() == 0 || self.min() >= 0',
    'self.size() == 0 || self.max() <= 50',
    'self.indexOf(7) != 0',
    'self.lastIndexOf(9) < 3',
  ),
  sorted: ruled(
    list(integer),
    'self.sortBy(n, -n) == self.sortBy(n, n).reverse()',
    'self.distinct() == self',
    'self.size() < 3 || self.slice(0, 2) != [1, 2]',
    'lists.range(3).all(i, self.size() <= i || self[i] != i + 10)',
    'self.transformList(i, n, n > 5, i).size() < 2',
    '[self, [1]].flatten().size() == self.size() + 1',
    'self.exists(i, n, i == n) || self.size() == 0',
  ),
  label: ruled(text, '!format.dns1123Label().validate(self).hasValue()'),
  formats: ruled(object({ format: text, value: text }), {
    rule: '!format.named(self.format).hasValue() || !format.named(self.format).value().validate(self.value).hasValue()',
    messageExpression: 'format.named(self.format).value().validate(self.value).value()[0]',
  }),
  group: ruled(
    list(text),
    "sets.contains(['a', 'b', 'c'], self)",
    "sets.intersects(self, ['a', 'b']) || self == []",
    "!sets.equivalent(self, ['a', 'c'])",
  ),
  words: ruled(
    text,
    "self.split(',').map(w, w.trim()).all(w, w.size() < 20)",
    'self.lowerAscii() == self && self.upperAscii().lowerAscii() == self',
    "self.replace('a', 'b') != 'bbb'",
    "self.size() < 3 || self.substring(0, 2) != 'no' && self.charAt(0) != '!'",
    "self.indexOf('x') == self.lastIndexOf('x')",
    "self.startsWith('end') == self.endsWith('end') || !self.contains('end')",
    "'%s=%d'.format([self, self.size()]) != 'abc=3'",
    "strings.quote(self) == '\"' + self + '\"'",
    "self.split(',', 2).size() != 2 || self.split(',', 2)[1] != 'q'",
    "self.replace('o', '0', 1) != 'f0o'",
    "self.lastIndexOf('u', 2) < 2",
    'self.size() == 0 || self.trim() == self',
  ),
  pair: ruled(
    object({ a: text, b: text }),
    { rule: 'has(self.a) == has(self.b)', message: 'both or none' },
    { rule: "self.?a.orValue('x') != 'y'", message: 'a is y' },
    "self.?b.hasValue() ? self.b != 'z' : true",
  ),
  port: ruled(
    { 'x-kubernetes-int-or-string': true, maxLength: 20 },
    "type(self) == int ? self < 10000 : self.matches('^[a-z]+$')",
    "self != 'none'",
  ),
  counts: ruled(
    { type: 'object', maxProperties: 5, additionalProperties: integer },
    'self.all(key, self[key] > 0)',
    'self.all(key, key.size() < 5)',
    "!('bad' in self)",
    'self.size() < 4',
    "self.exists(key, key == 'main') || self.size() == 0",
    'self.all(key, value, value < 1000)',
  ),
  parts: ruled(
    list(object({ name: text, weight: integer, main: { type: 'boolean' } }, { required: ['name'] }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    'self.size() == 0 || self.exists_one(p, has(p.main) && p.main)',
    'self.filter(p, has(p.weight)).map(p, p.weight).sum() <= 100',
    "self.map(p, p.name).all(n, n != 'evil')",
    'self.all(p, !has(p.weight) || p.weight >= 0)',
    "self.all(i, p, i < 3 || p.name != 'late')",
  ),
  tags: ruled(
    list(text, { 'x-kubernetes-list-type': 'set' }),
    "self + ['x'] != ['x', 'y']",
    "self == oldSelf || 'keep' in self",
  ),
  maybe: ruled(
    object({ a: { ...text, nullable: true }, n: { ...integer, nullable: true } }),
    "!has(self.a) || self.a != 'x'",
    '!has(self.n) || self.n > 1',
  ),
  number: ruled({ type: 'number' }, 'self < 10.0', 'self != 2.5', 'double(int(self)) == self || self > 1.0'),
  divide: ruled(integer, '10 / self > 1'),
  when: ruled(
    { type: 'string', format: 'date-time' },
    "self < timestamp('2030-01-01T00:00:00Z')",
    'self.getFullYear() >= 2000',
  ),
  day: ruled({ type: 'string', format: 'date' }, "self > timestamp('2020-01-01T00:00:00Z')"),
  lasts: ruled({ type: 'string', format: 'duration' }, "self <= duration('1h')", 'self.getSeconds() % 60 == 0'),
  bytes: ruled({ type: 'string', format: 'byte', maxLength: 100 }, "self != b'abc'", 'self.size() < 5'),
  names: ruled(
    object({ 'a-b': text, 'c.d': text, 'e/f': text, namespace: text, in: text, self: text, __g__: text, 'a b': text }),
    "!has(self.a__dash__b) || self.a__dash__b != 'x'",
    "!has(self.c__dot__d) || self.c__dot__d != 'x'",
    "!has(self.e__slash__f) || self.e__slash__f != 'x'",
    "!has(self.__namespace__) || self.__namespace__ != 'x'",
    "!has(self.__in__) || self.__in__ != 'x'",
    "!has(self.self) || self.self != 'x'",
    "!has(self.__underscores__g__underscores__) || self.__underscores__g__underscores__ != 'x'",
  ),
  embedded: ruled(
    { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    "self.kind != 'Secret'",
    "self.apiVersion == 'v1'",
    "self.metadata.name.startsWith('e')",
  ),
  release: ruled(text, 'isSemver(self)', "semver(self).isGreaterThan(semver('1.0.0'))", 'semver(self).major() < 3'),
  late: ruled(
    object(
      {
        a: ruled(integer, { rule: 'self < 5', message: 'a is too big' }),
        b: { type: 'integer', maximum: 5 },
        c: { type: 'string', enum: ['x', 'y'] },
        d: text,
        e: list(integer),
      },
      { required: ['d'] },
    ),
    { rule: 'self.a < 3', message: 'the whole is wrong' },
  ),
};

const schema: JsonObject = {
  properties: {
    spec: object(spec),
    status: ruled(
      object({ phase: text, count: integer }),
      { rule: "self.phase != 'Bad'", message: 'not that phase' },
      { rule: '!has(oldSelf.count) || self.count >= oldSelf.count', message: 'counts only grow' },
    ),
  },
  'x-kubernetes-validations': [
    { rule: "self.metadata.name != 'refused'", message: 'not that name' },
    {
      rule: '!has(self.status) || !has(self.status.phase) || self.status.phase != self.metadata.name',
      message: 'a phase like the name',
    },
  ],
};

const ruleds = definition(group, 'Ruled', [version('v1', schema, { subresources: { status: {} } })]);

/** The path of the objects with rules of the case's namespace. */
export async function ruledsOf(s: Session): Promise<string> {
  await share(s.target, ruleds);
  return `/apis/${group}/v1/namespaces/${s.namespace}/ruleds`;
}

export const ruledObject = (members: JsonObject, name = 'a'): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: 'Ruled',
  metadata: { name },
  spec: members,
});
