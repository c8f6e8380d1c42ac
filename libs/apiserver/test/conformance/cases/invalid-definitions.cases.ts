import type { JsonObject } from '../../../src/index.js';
import { definition, version } from '../definitions.js';
import { definitionsPath } from '../own-definition.js';
import type { CaseBody, Session } from '../session.js';

const text = { type: 'string' };
const integer = { type: 'integer' };

const good = version('v1', {
  properties: {
    spec: { type: 'object', properties: { a: text, n: integer } },
    status: { type: 'object', properties: { n: integer, s: text } },
  },
});

/** Definitions with one thing wrong: members of the specification that are other than usual. */
const specifications: Record<string, readonly JsonObject[]> = {
  groups: ['', 'UP.example.com', 'nodots', 'a_b.example.com', '-a.example.com'].map((group) => ({ group })),
  scopes: [{ scope: 'Bogus' }, { scope: undefined as never }, { scope: '' }],
  names: [
    { names: { plural: 'Things', kind: 'Thing' } },
    { names: { plural: 'others', kind: 'Thing' } },
    { names: { plural: '', kind: '' } },
    { names: { plural: 'things', kind: 'thing-kind' } },
    { names: { plural: 'things', kind: 'Thing', singular: 'UP' } },
    { names: { plural: 'things', kind: 'Thing', shortNames: ['UP', 'ok', 'a b'] } },
    { names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } },
    { names: { plural: 'things', kind: 'Thing', listKind: 'a b' } },
    { names: { plural: 'things', kind: 'Thing', categories: ['UP', 'all'] } },
    { names: undefined as never },
  ],
  versions: [
    { versions: [] },
    { versions: undefined as never },
    { versions: [{ ...good, storage: false }] },
    { versions: [good, { ...good, name: 'v2' }] },
    { versions: [good, { ...good, storage: false }] },
    { versions: [{ ...good, name: 'V1' }] },
    { versions: [{ ...good, name: '1' }] },
    { versions: [{ ...good, name: '' }] },
    { versions: [{ ...good, served: false }] },
    { versions: [{ ...good, served: undefined }] },
    { versions: [{ ...good, deprecationWarning: 'x' }] },
    { versions: [{ ...good, deprecated: true, deprecationWarning: '' }] },
    { versions: [{ ...good, deprecated: true, deprecationWarning: 'a\nb' }] },
    { versions: [{ ...good, deprecated: true, deprecationWarning: 'x'.repeat(300) }] },
  ],
  schemas: [
    { versions: [{ ...good, schema: undefined }] },
    { versions: [{ ...good, schema: {} }] },
    { versions: [{ ...good, schema: { openAPIV3Schema: {} } }] },
    { versions: [{ ...good, schema: { openAPIV3Schema: { type: 'array', items: text } } }] },
    { versions: [{ ...good, schema: { openAPIV3Schema: { type: 'object', nullable: true } } }] },
    {
      versions: [
        { ...good, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
      ],
    },
    { preserveUnknownFields: true },
  ],
  columns: [
    [{ name: 'A', type: 'bogus', jsonPath: '.spec.a' }],
    [{ name: '', type: 'string', jsonPath: '.spec.a' }],
    [{ name: 'A', type: 'string', jsonPath: '' }],
    [{ name: 'A', type: 'string', jsonPath: 'spec.a' }],
    [{ name: 'A', type: 'string', jsonPath: '.spec[' }],
    [{ name: 'A', type: 'string', jsonPath: '.spec.a', format: 'bogus' }],
    [{ name: 'A', type: '', jsonPath: '.spec.missing' }],
  ].map((additionalPrinterColumns) => ({ versions: [{ ...good, additionalPrinterColumns }] })),
  subresources: [
    { scale: {} },
    { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.spec.n' } },
    { scale: { specReplicasPath: '.status.n', statusReplicasPath: '.status.n' } },
    { scale: { specReplicasPath: 'spec.n', statusReplicasPath: '.status.n' } },
    { scale: { specReplicasPath: '.spec.list[0]', statusReplicasPath: '.status.n' } },
    { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.metadata.labels' } },
    { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.s' } },
    { scale: { specReplicasPath: '.spec.missing', statusReplicasPath: '.status.missing' } },
    { other: {} },
    { status: 'x' },
  ].map((subresources) => ({ versions: [{ ...good, subresources }] })),
  'selectable fields': [
    [{ jsonPath: '' }],
    [{ jsonPath: 'spec.a' }],
    [{ jsonPath: '.spec.missing' }],
    [{ jsonPath: '.spec' }],
    [{ jsonPath: '.metadata.name' }],
    [{ jsonPath: '.metadata.labels' }],
    [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }],
    [{ jsonPath: '.spec.list[0]' }],
    Array.from({ length: 9 }, () => ({ jsonPath: '.spec.n' })),
  ]
    .map((selectableFields): JsonObject => ({ versions: [{ ...good, selectableFields }] }))
    .concat({
      versions: [
        { ...good, selectableFields: [{ jsonPath: '.spec.a' }] },
        { ...good, name: 'v2', storage: false },
      ],
    }),
  conversions: [
    { strategy: 'Bogus' },
    { strategy: '' },
    { strategy: 'Webhook' },
    { strategy: 'None', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com/' } } },
    { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
    { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: {} } },
    { strategy: 'Webhook', webhook: { conversionReviewVersions: [], clientConfig: { url: 'https://example.com/' } } },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'https://example.com/' } },
    },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1', 'v1'], clientConfig: { url: 'https://example.com/' } },
    },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'http://example.com/' } },
    },
    {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://example.com/', service: { name: 'a', namespace: 'b' } },
      },
    },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { name: '', namespace: '', port: 0 } } },
    },
    {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { name: 'a', namespace: 'b' } } },
    },
    {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://example.com/', caBundle: Buffer.from('x').toString('base64') },
      },
    },
  ].map((conversion) => ({ conversion })),
};

/** Schemas of `spec.a` that are refused, or accepted with something to be seen. */
const schemas: Record<string, readonly JsonObject[]> = {
  'types of schemas': [
    {},
    { type: 'bogus' },
    { type: ['string', 'null'] as never },
    { type: 'array' },
    { type: 'array', items: {} },
    { type: 'array', items: [text] as never },
    { type: 'object', items: text },
    { type: 'null' },
    { $ref: '#/definitions/x' },
    { type: 'object', definitions: { a: text } },
    { type: 'object', dependencies: { a: ['b'] } },
    { type: 'object', patternProperties: { a: text } },
    { type: 'array', items: text, additionalItems: true },
    { type: 'array', items: text, uniqueItems: true },
    { type: 'array', items: text, uniqueItems: false },
    { type: 'object', id: 'x', $schema: 'y' },
    { type: 'object', properties: { b: text }, additionalProperties: text },
    { type: 'object', additionalProperties: false },
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: { properties: { b: {} } } },
  ],
  'keywords that do not fit': [
    { type: 'string', minimum: 1 },
    { type: 'integer', maxLength: 1 },
    { type: 'string', pattern: '(' },
    { type: 'string', pattern: '(?=a)' },
    { type: 'string', format: 'bogus' },
    { type: 'integer', multipleOf: 0 },
    { type: 'integer', multipleOf: -1 },
    { type: 'string', maxLength: -1 },
    { type: 'string', minLength: 5, maxLength: 2 },
    { type: 'string', enum: [] },
    { type: 'string', enum: [1, 'a', 'a'] },
    { type: 'object', required: ['missing'] },
    { type: 'object', required: [] },
    { type: 'integer', minimum: 5, maximum: 1 },
    { type: 'string', nullable: 'x' },
    { type: 'string', title: 't', description: 'd', example: 'e', externalDocs: { url: 'https://example.com' } },
  ],
  extensions: [
    { 'x-kubernetes-int-or-string': true, type: 'string' },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
    {
      'x-kubernetes-int-or-string': true,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maxLength: 5 }],
    },
    { 'x-kubernetes-int-or-string': false, type: 'string' },
    { 'x-kubernetes-preserve-unknown-fields': false, type: 'object' },
    { 'x-kubernetes-preserve-unknown-fields': true, type: 'string' },
    { 'x-kubernetes-embedded-resource': true, type: 'string' },
    { 'x-kubernetes-embedded-resource': true, type: 'object' },
    { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'array', items: text, 'x-kubernetes-list-type': 'bogus' },
    { type: 'object', 'x-kubernetes-list-type': 'set' },
    { type: 'array', items: text, 'x-kubernetes-list-type': 'map' },
    { type: 'array', items: { type: 'object', properties: { k: text } }, 'x-kubernetes-list-type': 'map' },
    {
      type: 'array',
      items: { type: 'object', properties: { k: text } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    {
      type: 'array',
      items: { type: 'object', properties: { k: text }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'k'],
    },
    {
      type: 'array',
      items: { type: 'object', properties: { k: text }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['missing'],
    },
    {
      type: 'array',
      items: { type: 'object', properties: { k: { type: 'object' } }, required: ['k'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
    { type: 'array', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' }, 'x-kubernetes-list-type': 'set' },
    {
      type: 'array',
      items: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    },
    { type: 'array', items: text, 'x-kubernetes-list-map-keys': ['k'] },
    { type: 'object', 'x-kubernetes-map-type': 'bogus' },
    { type: 'array', items: text, 'x-kubernetes-map-type': 'atomic' },
    { type: 'object', 'x-bogus': 1 },
  ],
  combinations: [
    { type: 'string', anyOf: [{ type: 'string' }] },
    { type: 'string', oneOf: [{ default: 'x' }] },
    { type: 'string', allOf: [{ nullable: true }] },
    { type: 'string', not: { 'x-kubernetes-preserve-unknown-fields': true } },
    { type: 'string', anyOf: [{ description: 'x', title: 'y' }] },
    { type: 'object', anyOf: [{ properties: { missing: { minimum: 1 } } }] },
    { type: 'object', properties: { b: text }, anyOf: [{ properties: { b: { minLength: 1 } } }] },
    { type: 'object', properties: { b: text }, allOf: [{ additionalProperties: text }] },
    { type: 'array', items: text, anyOf: [{ items: { minLength: 1 } }] },
    { type: 'string', allOf: [] },
  ],
  defaults: [
    { type: 'string', default: 5 },
    { type: 'integer', default: '5' },
    { type: 'integer', minimum: 5, default: 1 },
    { type: 'string', enum: ['a'], default: 'b' },
    { type: 'string', default: null },
    { type: 'string', nullable: true, default: null },
    { type: 'object', properties: { b: text }, default: { c: 1 } },
    { type: 'object', properties: { b: text }, required: ['b'], default: {} },
    { type: 'object', properties: { b: { type: 'string', default: 'x' } }, required: ['b'], default: {} },
    { type: 'array', items: text, default: [1] },
    { type: 'array', items: { type: 'string', default: 'x' } },
    { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
    { 'x-kubernetes-int-or-string': true, default: 1.5 },
    { 'x-kubernetes-preserve-unknown-fields': true, default: { any: [1] } },
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { apiVersion: 'v1', kind: 'A' },
    },
    {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
      default: { kind: 'A' },
    },
  ],
  'members of another type': [
    { type: 1 as never },
    { type: 'string', maxLength: 'x' },
    { type: 'string', enum: 'x' },
    { type: 'object', properties: [] as never },
    { type: 'object', required: 'x' },
    { type: 'string', nullable: 1 },
    { type: 'string', anyOf: {} },
  ],
};

/** What the server says to definitions that are wrong. */
export function addInvalidDefinitionCases(add: (name: string, run: CaseBody) => void): void {
  const tried = async (
    s: Session,
    bodies: readonly JsonObject[],
    shown: (body: JsonObject) => unknown,
  ): Promise<void> => {
    for (const body of bodies) {
      const { status, json } = await s.quietly('POST', `${definitionsPath}?dryRun=All`, body);
      s.note('answer', status === 201 ? { status, accepted: shown(json) } : { status, answer: json });
    }
  };
  for (const [name, list] of Object.entries(specifications)) {
    add(`refused: ${name}`, async (s) => {
      const bodies = list.map((spec) => {
        const group = (spec['group'] as string | undefined) ?? `${s.namespace}.example.com`;
        const body = definition(group, 'Thing', [good], spec);
        return { ...body, metadata: { name: `things.${group}` } };
      });
      await tried(s, bodies, (json) => (json['spec'] as JsonObject | undefined)?.['names']);
    });
  }
  for (const [name, list] of Object.entries(schemas)) {
    add(`refused: ${name}`, async (s) => {
      const bodies = list.map((a) =>
        definition(`${s.namespace}.example.com`, 'Thing', [
          version('v1', { properties: { spec: { type: 'object', properties: { a } } } }),
        ]),
      );
      await tried(s, bodies, (json) => {
        const { versions } = json['spec'] as unknown as {
          versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: { a: unknown } } } } } }[];
        };
        return versions[0]?.schema.openAPIV3Schema.properties.spec.properties.a;
      });
    });
  }
  add('refused: metadata in the schema', async (s) => {
    const bodies = [
      {
        type: 'object',
        properties: { name: { type: 'string', pattern: 'x' }, generateName: { maxLength: 3, type: 'string' } },
      },
      { type: 'object', properties: { labels: { type: 'object', additionalProperties: text } } },
      { type: 'object', required: ['labels'] },
      { type: 'object', properties: { name: { type: 'string', default: 'x' } } },
      { type: 'string' },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ].map((metadata) =>
      definition(`${s.namespace}.example.com`, 'Thing', [version('v1', { properties: { metadata } })]),
    );
    await tried(s, bodies, () => undefined);
    const kinds = [
      { apiVersion: { type: 'string', enum: ['x'] } },
      { kind: { type: 'integer' } },
      { kind: { type: 'string', default: 'x' } },
    ].map((properties) => definition(`${s.namespace}.example.com`, 'Thing', [version('v1', { properties })]));
    await tried(s, kinds, () => undefined);
  });
  add('refused: names of definitions', async (s) => {
    const bodies = ['things', 'others.example.com', '', 'Things.example.com', undefined].map((name) => ({
      ...definition(`${s.namespace}.example.com`, 'Thing', [good]),
      metadata: name === undefined ? {} : { name },
    }));
    await tried(s, bodies, () => undefined);
    await tried(
      s,
      [
        { ...definition(`${s.namespace}.example.com`, 'Thing', [good]), spec: undefined as never },
        { apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'CustomResourceDefinition', metadata: { name: 'x' } },
      ],
      () => undefined,
    );
  });
}
