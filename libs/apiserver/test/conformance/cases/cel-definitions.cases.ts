import type { JsonObject } from '../../../src/index.js';
import { definition, until, untilServed, version } from '../definitions.js';
import type { CaseBody, Session } from '../session.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition in a group of the case, with the schema of `spec`. */
const ruled = (s: Session, spec: JsonObject, more: JsonObject = {}): JsonObject =>
  definition(`${s.namespace}.example.com`, 'Thing', [
    version('v1', { properties: { spec: { type: 'object', ...spec } }, ...more }, { subresources: { status: {} } }),
  ]);

const rules = (...list: readonly (string | JsonObject)[]): JsonObject => ({
  'x-kubernetes-validations': list.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});

const text = { type: 'string' };
const integer = { type: 'integer' };
const properties = {
  a: { type: 'string', maxLength: 10 },
  n: integer,
  list: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  inner: { type: 'object', properties: { 'x-y': integer, z: text } },
  map: { type: 'object', maxProperties: 3, additionalProperties: integer },
};

/** Schemas of `spec` that are refused, or accepted with something to be seen; one case each. */
const schemas: Record<string, readonly JsonObject[]> = {
  'syntax errors': [
    'self.',
    'self.a ==',
    '(',
    "self.a == 'x",
    'self.a = 1',
    'a b',
    'self.n > 1 &&',
    '1 +',
    "self.a == 'x' ? true",
  ].map((rule) => ({
    properties,
    ...rules(rule),
  })),
  'unknown names': [
    'self.missing == 1',
    'other > 1',
    'nofunction(self.a)',
    'self.a.nomethod()',
    'self.open.x == 1',
    'self.inner.x-y == 1',
    'self.metadata.name == 1',
    'object.a',
  ].map((rule) => ({
    properties,
    ...rules(rule),
  })),
  'types that do not fit': [
    'self.a == 1',
    'self.a + 1 > 2',
    'self.n + 1.5 > 2.0',
    'self.list > 1',
    "self.map['x'] == 'y'",
    'self.a',
    'self.n',
    '1',
    'self.list.all(x, x > 1)',
    'self.n && true',
    '!self.a',
    'self.a > self.n',
    'true ? 1 : "x"',
    '[1, "x"].size() > 0',
  ].map((rule) => ({
    properties,
    ...rules(rule),
  })),
  'rules that are none': [
    { properties, ...rules('') },
    { properties, ...rules('   ') },
    { properties, 'x-kubernetes-validations': [{ message: 'x' }] },
    { properties, 'x-kubernetes-validations': [{ rule: 1 }] },
    { properties, 'x-kubernetes-validations': 'x' },
    { properties, ...rules('true', 'true') },
  ],
  messages: [
    { properties, ...rules({ rule: 'true', message: '' }) },
    { properties, ...rules({ rule: 'true', message: '   ' }) },
    { properties, ...rules({ rule: 'true', message: 'a\nb' }) },
    { properties, ...rules({ rule: 'self.a ==\n"x"' }) },
    { properties, ...rules({ rule: 'true', message: 'x'.repeat(2049) }) },
    { properties, ...rules({ rule: 'true', messageExpression: 'self.n' }) },
    { properties, ...rules({ rule: 'true', messageExpression: 'self.' }) },
    { properties, ...rules({ rule: 'true', messageExpression: '' }) },
    { properties, ...rules({ rule: 'true', messageExpression: 'self.missing' }) },
    { properties, ...rules({ rule: 'true', messageExpression: 'oldSelf.a' }) },
  ],
  'paths of fields': [
    '.a',
    '.inner.z',
    ".inner['x-y']",
    '.inner.x-y',
    '.map.some',
    '.list',
    '.list[0]',
    '.missing',
    'a',
    '',
    '.',
    '.a.b',
    '.inner..z',
    ".inner['z",
    '.open.x',
  ].map((fieldPath) => ({
    properties,
    ...rules({ rule: 'true', fieldPath }),
  })),
  reasons: [
    'FieldValueInvalid',
    'FieldValueForbidden',
    'FieldValueRequired',
    'FieldValueDuplicate',
    'FieldValueTooLong',
    'Bogus',
    '',
  ].map((reason) => ({
    properties,
    ...rules({ rule: 'true', reason }),
  })),
  'transition rules where there is no old value': [
    { properties: { list: { type: 'array', maxItems: 5, items: { ...integer, ...rules('self >= oldSelf') } } } },
    {
      properties: {
        set: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'set',
          items: { ...integer, ...rules('self >= oldSelf') },
        },
      },
    },
    {
      properties: {
        list: {
          type: 'array',
          maxItems: 5,
          items: { type: 'object', properties: { a: { ...integer, ...rules('self >= oldSelf') } } },
        },
      },
    },
    {
      properties: {
        map: {
          type: 'object',
          maxProperties: 5,
          'x-kubernetes-map-type': 'atomic',
          additionalProperties: { ...integer, ...rules('self >= oldSelf') },
        },
      },
    },
    { properties, ...rules({ rule: 'true', optionalOldSelf: true }) },
    { properties, ...rules({ rule: 'oldSelf.n > 1', optionalOldSelf: true }) },
    { properties, ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: false }) },
    { properties, ...rules({ rule: 'oldSelf.value().n > 1', optionalOldSelf: true }) },
  ],
  'rules where there may be none': [
    { properties: { any: { 'x-kubernetes-preserve-unknown-fields': true, ...rules('self == 1') } } },
    { properties: { a: { type: 'string', oneOf: [{ pattern: 'x', ...rules('true') }] } } },
    { properties: { a: { type: 'object', allOf: [{ properties: { b: rules('true') } }] } } },
    { properties: { a: { type: 'object', not: rules('true') } } },
    { properties: { open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...rules('has(self.x)') } } },
    { properties: { metadata: { type: 'object', ...rules('true') } } },
  ],
  'what costs too much': [
    {
      properties: {
        list: { type: 'array', items: { type: 'array', items: { ...text, ...rules("self.matches('x')") } } },
      },
    },
    {
      properties: { list: { type: 'array', items: { type: 'string' }, ...rules('self.all(a, self.all(b, a == b))') } },
    },
    {
      properties: {
        list: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', maxLength: 100 },
          ...rules('self.all(a, self.all(b, a == b))'),
        },
      },
    },
    {
      properties: {
        map: {
          type: 'object',
          additionalProperties: { type: 'object', additionalProperties: { ...text, ...rules("self.contains('x')") } },
        },
      },
    },
    {
      properties: {
        a: { type: 'string', ...rules("self.matches('(a+)+$') && self.split(',').all(x, x.matches('b'))") },
      },
    },
    {
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              m: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { a: integer },
                  ...rules({ rule: 'self.a > 0', messageExpression: "'a' + string(self.a)" }),
                },
              },
            },
          },
        },
      },
    },
  ],
  'costs of what has no known size': [
    { rule: "['a', 'b'].join('+') == 'a+b'" },
    { rule: "self.list.join(',').size() < 10" },
    { rule: "string(self.n) + 'x' == '1x'" },
    { rule: "string(self.n) == '1'" },
    { rule: "'%d'.format([self.n]) == '1'" },
    { rule: 'true', messageExpression: "'n is ' + string(self.n)" },
    { rule: 'true', messageExpression: "'a is ' + self.a" },
    { rule: 'oldSelf.optMap(o, o.a == self.a).orValue(true)', optionalOldSelf: true },
    { rule: 'oldSelf.optMap(o, o.n == self.n).orValue(true)', optionalOldSelf: true },
    { rule: 'lists.range(self.list.size()).all(i, self.list[i] == self.a)' },
    { rule: "self.a.split('').all(x, x != 'y')" },
    { rule: "self.a.replace('x', 'yy').size() < 10" },
    { rule: "self.inner.z.contains('x')" },
    { rule: "self.inner.z.matches('^x$')" },
    { rule: 'self.list.map(x, x + x).exists(x, x == self.a)' },
    { rule: 'quantity(self.a).isInteger() && quantity(self.a).asInteger() == 1' },
    { rule: "self.map.all(k, k.startsWith('a'))" },
  ].map((rule) => ({ properties, ...rules(rule) })),
  'functions that are there': [
    'math.greatest(self.n, 3) == 3',
    'cel.bind(x, self.n, x == x)',
    "base64.encode(b'abc') == self.a",
    'self.list.all(i, x, i < 3)',
    'self.map.all(k, v, v < 3)',
    'self.map.transformMap(k, v, v + 1).size() < 3',
    "self.map.transformMapEntry(k, v, {k + 'x': v}).size() < 3",
    'self.list.transformList(i, x, i).size() < 3',
    'self.list.existsOne(i, x, i == 1)',
    'self.list.sort() == self.list',
    'self.list.first().hasValue()',
    "self.a.reverse() == 'x'",
    "strings.quote(self.a) == 'x'",
    'isIP(self.a) && ip.isCanonical(self.a)',
    'ip(self.a).isLinkLocalUnicast() || ip(self.a).isGlobalUnicast() || ip(self.a).isUnspecified()',
    "cidr(self.a).ip() == ip('10.0.0.0')",
    "url(self.a).getHost() == 'x'",
    "quantity(self.a).isLessThan(quantity('1')) || quantity(self.a).isGreaterThan(quantity('2'))",
    'semver(self.a, true).minor() == 1 && isSemver(self.a, true)',
    "jsonpatch.escapeKey(self.a) == 'x'",
    "authorizer.path('/x').check('get').allowed()",
    'type(self.n) == int && type(self.a) == string && type(null) == null_type',
    "duration(self.a) > duration('1s') && timestamp(self.a).getHours('UTC') == 1",
    'optional.of(self.n).value() == 1 && !optional.none().hasValue()',
    "{'a': 1}.?a.orValue(2) == 1 && {?'b': optional.of(1)}.size() == 1 && [?optional.of(1)].size() == 1",
    "self.list[?0].hasValue() && self.map[?'a'].optMap(v, v + 1).orValue(1) == 1",
    "uint(1) == 1u && int('5') == 5 && double('1.5') == 1.5 && bool('true') && string(b'abc') == 'abc'",
    'has(self.a) && has(self.inner.z) && !has(self.map.x)',
    "dyn(self.n) == 1.0 && dyn([1, 'x']).size() == 2",
    "'abc'[0] == 'a'",
    "self.n in [1, 2] && 'x' in self.list && 'k' in self.map",
    "self.list + ['x'] == self.list && self.map == {'a': 1}",
    '1.0 == 1 || 1 == 1u',
    'self.n / 0 == 1 || self.n % 2 == 1 || -self.n < 0',
  ].map((rule) => ({ properties, ...rules(rule) })),
  'defaults that break a rule': [
    { properties: { a: { type: 'string', default: 'x', ...rules("self == 'y'") } } },
    {
      properties: { o: { type: 'object', default: { a: 1 }, properties: { a: { ...integer, ...rules('self > 1') } } } },
    },
    { properties: { n: { type: 'integer', default: 5, ...rules('self > oldSelf') } } },
  ],
};

/** What the server says to definitions with rules, and what happens to stored objects when rules come later. */
export function addRuleDefinitionCases(add: (name: string, run: CaseBody) => void): void {
  for (const [name, list] of Object.entries(schemas)) {
    add(`definitions: ${name}`, async (s) => {
      for (const schema of list) {
        const { status, json } = await s.quietly('POST', `${path}?dryRun=All`, ruled(s, schema));
        // An accepted definition says nothing new.
        s.note('answer', status === 201 ? { status } : { status, answer: json });
      }
    });
  }
  add('definitions: rules at the root and of metadata', async (s) => {
    for (const rule of [
      "self.metadata.name == 'x'",
      "self.metadata.generateName == ''",
      "self.metadata.labels['a'] == 'x'",
      "self.kind == 'Thing' && self.apiVersion != ''",
      'has(self.spec)',
      'self.spec.a > 1',
      'has(self.metadata.namespace)',
    ]) {
      const { status, json } = await s.quietly('POST', `${path}?dryRun=All`, ruled(s, { properties }, rules(rule)));
      s.note(rule, status === 201 ? { status } : { status, answer: json });
    }
  });
  add('definitions: everything in a rule is kept', async (s) => {
    await s.post(
      `${path}?dryRun=All`,
      ruled(s, {
        properties,
        ...rules(
          {
            rule: 'self.n > 1',
            message: 'm',
            messageExpression: "'x'",
            reason: 'FieldValueForbidden',
            fieldPath: '.n',
          },
          { rule: 'oldSelf.hasValue()', optionalOldSelf: true },
        ),
      }),
    );
  });
  add('rules that come later spare what is stored', async (s) => {
    const inner = { type: 'object', properties: { x: integer, y: integer } };
    const schema = { properties: { a: text, n: integer, inner, list: { type: 'array', maxItems: 5, items: integer } } };
    const body = ruled(s, schema);
    const name = (body['metadata'] as { name: string }).name;
    const things = `/apis/${s.namespace}.example.com/v1/namespaces/${s.namespace}/things`;
    s.leave(`${path}/${name}`);
    await s.quietly('POST', path, body);
    await untilServed(s.target, body);
    const thing = (named: string, spec: JsonObject): JsonObject => ({
      apiVersion: `${s.namespace}.example.com/v1`,
      kind: 'Thing',
      metadata: { name: named },
      spec,
    });
    await s.post(things, thing('a', { a: 'x', n: 1, inner: { x: 1, y: 1 }, list: [1, 9] }));
    const later = ruled(s, {
      properties: {
        a: { ...text, ...rules({ rule: "self == 'y'", message: 'a must be y' }) },
        n: {
          ...integer,
          ...rules(
            { rule: 'self >= oldSelf', message: 'n only grows' },
            { rule: 'self > 1', message: 'n must be more than 1' },
          ),
        },
        inner: { ...inner, ...rules({ rule: 'self.x > self.y', message: 'x must exceed y' }) },
        list: { type: 'array', maxItems: 5, items: { ...integer, ...rules({ rule: 'self < 5', message: 'too big' }) } },
      },
    });
    const { json } = await s.quietly('GET', `${path}/${name}`);
    await s.quietly('PUT', `${path}/${name}`, { ...json, spec: later['spec'] });
    await until('the rules are heeded', async () => {
      const { status } = await s.quietly('POST', `${things}?dryRun=All`, thing('probe', { a: 'x' }));
      return status === 422;
    });
    const set = (spec: JsonObject) => s.patch('merge', `${things}/a`, { spec });
    await s.patch('merge', `${things}/a`, { metadata: { labels: { a: '1' } } });
    await set({ a: 'z' });
    await set({ a: 'y' });
    await set({ n: 0 });
    await set({ inner: { y: 2 } });
    await set({ inner: { x: 5 } });
    await set({ list: [1, 9, 2] });
    await set({ list: [1, 2] });
    await set({ list: [9, 2] });
    await s.post(things, thing('b', { a: 'x', n: 1, inner: { x: 1, y: 1 }, list: [1, 9] }));
  });
}
