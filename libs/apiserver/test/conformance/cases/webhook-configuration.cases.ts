import type { JsonObject } from '../../../src/index.js';
import { Hooks, rule } from '../hooks.js';
import { group } from '../session.js';

// What the server accepts as the configuration of webhooks, and what it says to the rest.
const { cases, add } = group('admission');
export const webhookConfigurationCases = cases;

const rules = [rule('configmaps')];

add('a configuration as it is stored', async (s) => {
  const hooks = await Hooks.open(s);
  for (const kind of ['mutating', 'validating'] as const) {
    await s.post(`${Hooks.path(kind)}?dryRun=All`, hooks.configuration(kind, 'a', [{ name: 'first', rules }]));
    await s.post(
      `${Hooks.path(kind)}?dryRun=All`,
      hooks.configuration(kind, 'a', [
        {
          name: 'first',
          rules: [rule('configmaps', ['CREATE'], { scope: 'Namespaced' })],
          clientConfig: { service: { name: 's', namespace: 'n' }, caBundle: hooks.receiver.caBundle },
          namespaceSelector: undefined,
        },
      ]),
    );
  }
  await s.post(`${Hooks.path('mutating')}?dryRun=All`, {
    ...hooks.configuration('mutating', 'a', []),
    webhooks: undefined,
  });
});
add('a configuration is changed', async (s) => {
  const hooks = await Hooks.open(s);
  const path = `${Hooks.path('validating')}/${hooks.name('a')}`;
  s.leave(path);
  await s.post(Hooks.path('validating'), hooks.configuration('validating', 'a', [{ name: 'first', rules }]));
  await s.patch('strategic', path, { webhooks: [{ name: 'first.hooks.example.com', timeoutSeconds: 5 }] });
  await s.patch('merge', path, { metadata: { labels: { a: '1' } } });
  await s.patch('json', path, [{ op: 'replace', path: '/webhooks/0/timeoutSeconds', value: 99 }]);
  await s.get(path);
  await s.delete(path);
});

const refused: Record<string, readonly [JsonObject, ...JsonObject[]]> = {
  'names that are none': [{ name: 'first' }, { name: 'x', rules: [] }, { name: 'UP' }],
  'the same name twice': [{ name: 'first' }, { name: 'first' }],
  'no version, or one that is unknown': [
    { name: 'a', admissionReviewVersions: [] },
    { name: 'b', admissionReviewVersions: ['v9'] },
    { name: 'c', admissionReviewVersions: ['v1', 'v1'] },
    { name: 'd', admissionReviewVersions: ['UP'] },
    { name: 'e', admissionReviewVersions: undefined as never },
  ],
  'side effects': [
    { name: 'a', sideEffects: 'Some' },
    { name: 'b', sideEffects: 'Unknown' },
    { name: 'c', sideEffects: 'Bogus' },
    { name: 'd', sideEffects: undefined as never },
  ],
  'time limits': [
    { name: 'a', timeoutSeconds: 0 },
    { name: 'b', timeoutSeconds: 31 },
    { name: 'c', timeoutSeconds: -1 },
  ],
  policies: [
    { name: 'a', failurePolicy: 'Bogus' },
    { name: 'b', matchPolicy: 'Bogus' },
    { name: 'c', reinvocationPolicy: 'Bogus' },
  ],
  rules: [
    { name: 'a', rules: [{ apiGroups: [], apiVersions: [], resources: [], operations: [] }] },
    {
      name: 'b',
      rules: [{ apiGroups: ['*', 'a'], apiVersions: ['*', 'v1'], resources: ['*', 'a'], operations: ['*', 'CREATE'] }],
    },
    {
      name: 'c',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['a', 'a/*', 'a/b', '*/b'], operations: ['BOGUS'] }],
    },
    {
      name: 'd',
      rules: [
        { apiGroups: [''], apiVersions: ['v1'], resources: ['*/*', 'a'], operations: ['CREATE'], scope: 'Bogus' },
      ],
    },
    {
      name: 'e',
      rules: [{ apiGroups: ['UP'], apiVersions: ['', 'x/y'], resources: [''], operations: ['CREATE', 'CREATE'] }],
    },
  ],
  selectors: [
    { name: 'a', namespaceSelector: { matchLabels: { 'b a d': '1' } } },
    { name: 'b', objectSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    { name: 'c', objectSelector: { matchExpressions: [{ key: 'a', operator: 'Bogus' }] } },
  ],
  addresses: [
    { name: 'a', clientConfig: { url: 'http://127.0.0.1/x' } },
    { name: 'b', clientConfig: { url: 'https://user:pw@example.com/x' } },
    { name: 'c', clientConfig: { url: 'https://example.com/x?a=b#c' } },
    { name: 'd', clientConfig: { url: 'https:///x' } },
    { name: 'e', clientConfig: { url: '::' } },
    { name: 'f', clientConfig: {} },
    { name: 'g', clientConfig: { url: 'https://example.com/', service: { name: 's', namespace: 'n' } } },
    { name: 'h', clientConfig: { service: { name: '', namespace: '' } } },
    { name: 'i', clientConfig: { service: { name: 's', namespace: 'n', path: 'x//y', port: 99999 } } },
    { name: 'j', clientConfig: { service: { name: 's', namespace: 'n', path: '/a/UP/../b' } } },
    {
      name: 'k',
      clientConfig: { url: 'https://example.com/', caBundle: Buffer.from('no certificate').toString('base64') },
    },
  ],
  'match conditions': [
    { name: 'a', matchConditions: [{ name: 'x', expression: 'object.' }] },
    { name: 'b', matchConditions: [{ name: 'x', expression: '1' }] },
    { name: 'c', matchConditions: [{ name: 'x', expression: 'unknown == 1' }] },
    {
      name: 'd',
      matchConditions: [
        { name: 'x', expression: 'true' },
        { name: 'x', expression: 'true' },
      ],
    },
    { name: 'e', matchConditions: [{ name: '', expression: '' }] },
    { name: 'f', matchConditions: [{ name: 'b a d', expression: 'true' }] },
  ],
};
for (const [name, webhooks] of Object.entries(refused)) {
  add(`configurations that are refused: ${name}`, async (s) => {
    const hooks = await Hooks.open(s);
    const bodies = name.startsWith('the same') ? [webhooks] : webhooks.map((webhook) => [webhook]);
    for (const body of bodies) {
      await s.post(
        `${Hooks.path('mutating')}?dryRun=All`,
        hooks.configuration(
          'mutating',
          'a',
          body.map((webhook) => ({ rules, ...webhook })),
        ),
      );
    }
  });
}
add('configurations that are refused: names of webhooks', async (s) => {
  const hooks = await Hooks.open(s);
  for (const name of ['first', 'a.b', 'UP.b.c', '', 'a.b.c.']) {
    const [webhook] = hooks.configuration('validating', 'a', [{ name: 'first', rules }])['webhooks'] as JsonObject[];
    const body = { ...hooks.configuration('validating', 'a', []), webhooks: [{ ...webhook, name }] };
    await s.post(`${Hooks.path('validating')}?dryRun=All`, body);
  }
  await s.post(`${Hooks.path('validating')}?dryRun=All`, {
    ...hooks.configuration('validating', 'a', []),
    metadata: { name: 'B_' },
  });
});
add('configurations with unknown fields', async (s) => {
  const hooks = await Hooks.open(s);
  const body = hooks.configuration('validating', 'a', [{ name: 'first', rules, reinvocationPolicy: 'Never', zzz: 1 }]);
  await s.post(`${Hooks.path('validating')}?dryRun=All`, body);
  await s.post(`${Hooks.path('validating')}?dryRun=All&fieldValidation=Strict`, body);
});
