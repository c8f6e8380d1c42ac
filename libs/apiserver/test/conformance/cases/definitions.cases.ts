import type { JsonObject } from '../../../src/index.js';
import { definition, until, version } from '../definitions.js';
import { definitionsPath, OwnDefinition } from '../own-definition.js';
import { group } from '../session.js';
import { addConversionCases } from './conversion.cases.js';
import { addInvalidDefinitionCases } from './invalid-definitions.cases.js';
import { addDefinitionViewCases } from './definition-views.cases.js';

const { cases, add } = group('definitions');
export const definitionCases = cases;

const spec = (properties: JsonObject): JsonObject => ({ properties: { spec: { type: 'object', properties } } });
const sized = spec({ size: { type: 'integer' } });

add('a definition is made, served and deleted', async (s) => {
  const own = OwnDefinition.simple(s);
  await s.get(`/apis/${own.group}`);
  await s.post(definitionsPath, own.body);
  await own.condition('Established', 'True');
  await s.get(own.path);
  await s.until(own.objects(), ({ status }) => status === 200);
  await s.get(own.objects());
  await s.until(`/apis/${own.group}/v1`, ({ status }) => status === 200);
  await s.get(`/apis/${own.group}/v1`);
  await s.get(`/apis/${own.group}`);
  await s.post(own.objects(), own.thing());
  await s.delete(`${own.objects()}/a`);
  await s.delete(own.path);
  await own.until((_, status) => status === 404);
  await s.get(own.objects());
  await s.until(`/apis/${own.group}`, ({ status }) => status === 404);
  await s.get(`/apis/${own.group}/v1`);
});
add('everything that a definition can say', async (s) => {
  const own = OwnDefinition.of(
    s,
    [
      version('v1', sized, {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.size',
            statusReplicasPath: '.status.size',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          {
            name: 'Size',
            type: 'integer',
            jsonPath: '.spec.size',
            description: 'how big',
            priority: 1,
            format: 'int32',
          },
        ],
        selectableFields: [{ jsonPath: '.spec.size' }],
      }),
      version('v1beta1', sized, {
        storage: false,
        served: false,
        deprecated: true,
        deprecationWarning: 'use v1',
        selectableFields: [{ jsonPath: '.spec.size' }],
      }),
    ],
    {
      names: { plural: 'things', kind: 'Thing', shortNames: ['th', 'tg'], categories: ['all', 'mine'] },
      conversion: { strategy: 'None' },
      preserveUnknownFields: false,
    },
  );
  await s.post(definitionsPath, own.body);
  await own.condition('Established', 'True');
  await s.get(own.path);
  await s.until(`/apis/${own.group}/v1`, ({ status }) => status === 200);
  await s.get(`/apis/${own.group}/v1`);
  await s.get(`/apis/${own.group}/v1beta1`);
  await s.get(own.objects('v1beta1'));
});
add('unknown fields of a definition', async (s) => {
  const own = OwnDefinition.simple(s);
  const body = {
    ...own.body,
    spec: { ...(own.body['spec'] as JsonObject), zzz: 1 },
    status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v9'] },
  };
  for (const mode of ['Warn', 'Strict', 'Ignore'])
    await s.post(`${definitionsPath}?dryRun=All&fieldValidation=${mode}`, body);
});
add('a definition that exists', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await s.post(definitionsPath, own.body);
});
add('names that others have', async (s) => {
  const first = await OwnDefinition.of(s, [version('v1', sized)], {
    names: { plural: 'things', singular: 'thing', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
  }).serve();
  const others: Record<string, JsonObject> = {
    kinds: { plural: 'kinds', kind: 'Thing', singular: 'kind', listKind: 'KindList' },
    listkinds: { plural: 'listkinds', kind: 'Other', singular: 'other', listKind: 'ThingList' },
    shortnames: { plural: 'shortnames', kind: 'Short', singular: 'short', shortNames: ['th', 'sh'] },
    singulars: { plural: 'singulars', kind: 'Single', singular: 'thing' },
    categories: { plural: 'categories', kind: 'Category', singular: 'category', categories: ['all'] },
    clashes: { plural: 'clashes', kind: 'Clash', singular: 'th' },
  };
  for (const [plural, names] of Object.entries(others)) {
    const body = {
      ...definition(first.group, 'Thing', [version('v1', sized)], { names }),
      metadata: { name: `${plural}.${first.group}` },
    };
    const other = new OwnDefinition(s, body);
    await s.quietly('POST', definitionsPath, body);
    await other.until((json) =>
      ((json.status?.conditions ?? []) as { type: string; status: string }[]).some(
        ({ type, status }) =>
          (type === 'NamesAccepted' && status === 'False') || (type === 'Established' && status === 'True'),
      ),
    );
    const { json } = await s.get(other.path);
    const established = (json.status.conditions as { type: string; status: string }[]).some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    const list = `/apis/${first.group}/v1/${plural}`;
    if (established) await s.until(list, ({ status }) => status === 200);
    await s.get(list);
    if (plural !== 'kinds') {
      await s.quietly('DELETE', other.path);
      await other.until((_, status) => status === 404);
    }
  }
  // The name becomes free.
  await s.quietly('DELETE', first.path);
  await s.until(`${definitionsPath}/kinds.${first.group}`, ({ json }) =>
    (json.status.conditions as { type: string; status: string }[]).some(
      ({ type, status }) => type === 'Established' && status === 'True',
    ),
  );
  await s.get(`${definitionsPath}/kinds.${first.group}`);
});
add('what cannot be changed', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await own.condition('Established', 'True');
  const set = (change: JsonObject) => s.patch('merge', `${own.path}?dryRun=All`, { spec: change });
  await set({ scope: 'Cluster' });
  await set({ group: 'other.example.com' });
  await set({ names: { plural: 'others' } });
  await set({ names: { kind: 'Other' } });
  await set({ names: { singular: 'other' } });
  await set({ names: { listKind: 'OtherList' } });
  await set({ names: { shortNames: ['x'] } });
  await set({ names: { categories: ['all'] } });
  await set({ preserveUnknownFields: true });
  await set({ versions: [] });
});
add('versions come and go', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await own.condition('Established', 'True');
  const change = async (versions: readonly JsonObject[]) => {
    const { json } = await s.quietly('GET', own.path);
    return s.put(own.path, { ...json, spec: { ...json.spec, versions } });
  };
  await s.quietly('POST', own.objects(), own.thing());
  await change([version('v1', sized), version('v2', sized, { storage: false })]);
  await s.until(own.objects('v2'), ({ status }) => status === 200);
  await s.get(own.objects('v2'));
  await s.get(`${own.objects('v2')}/a`);
  await change([version('v1', sized, { storage: false }), version('v2', sized)]);
  await s.get(own.path);
  await s.get(`${own.objects()}/a`);
  // v1 is still among the stored versions.
  await change([version('v2', sized)]);
  await change([version('v1', sized, { storage: false, served: false }), version('v2', sized)]);
  await s.until(own.objects(), ({ status }) => status === 404);
  await s.get(`${own.objects()}/a`);
  await s.post(own.objects(), own.thing());
  // Stored anew, in v2.
  await s.patch('merge', `${own.objects('v2')}/a`, { spec: { size: 2 } });
  await s.patch('merge', `${own.path}/status`, { status: { storedVersions: [] } });
  await s.patch('merge', `${own.path}/status`, { status: { storedVersions: ['v9'] } });
  await s.patch('merge', `${own.path}/status`, { status: { storedVersions: ['v2'] } });
  await change([version('v2', sized)]);
  await s.get(own.path);
  await s.get(`${own.objects('v2')}/a`);
});
add('a change of the schema', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await own.condition('Established', 'True');
  await s.patch('json', own.path, [
    { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum', value: 5 },
  ]);
  await s.patch('merge', own.path, { metadata: { labels: { a: '1' } } });
  await s.patch('merge', own.path, { metadata: { labels: { a: '1' } } });
  await until(
    'the change is heeded',
    async () => (await s.quietly('POST', `${own.objects()}?dryRun=All`, own.thing({ size: 9 }))).status === 422,
  );
  await s.post(own.objects(), own.thing({ size: 9 }));
});
add('the status of a definition', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await own.condition('Established', 'True');
  await s.patch('merge', own.path, { status: { storedVersions: ['v9'] } });
  await s.get(`${own.path}/status`);
  await s.patch('merge', `${own.path}/status`, { spec: { scope: 'Cluster' }, metadata: { labels: { a: '1' } } });
});
add('a definition by apply and by PUT', async (s) => {
  const own = OwnDefinition.simple(s);
  await s.put(own.path, own.body);
  await s.patch('apply', `${own.path}?fieldManager=m1`, own.body);
  await own.condition('Established', 'True');
  const { json } = await s.quietly('GET', own.path);
  await s.put(`${own.path}?dryRun=All`, { ...json, metadata: { name: own.name } });
  await s.put(`${own.path}?dryRun=All`, { ...json, metadata: { ...json.metadata, resourceVersion: '1' } });
});
add('deletion takes the objects along', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await s.quietly('POST', own.objects(), own.thing());
  await s.quietly('POST', own.objects(), own.thing({ size: 2 }, { name: 'b', finalizers: ['x.example/a'] }));
  const { json } = await s.quietly('GET', own.objects());
  await s.delete(own.path);
  await s.until(own.objects(), ({ json: list }) => (list.items as unknown[]).length === 1);
  await own.until((definition_) => {
    const condition = (definition_.status.conditions as { type: string; reason: string }[]).find(
      ({ type }) => type === 'Terminating',
    );
    return condition?.reason === 'InstanceDeletionInProgress' || condition?.reason === 'InstanceDeletionFailed';
  });
  const { json: terminating } = await s.quietly('GET', own.path);
  s.note('terminating', {
    metadata: { ...terminating.metadata, resourceVersion: undefined },
    kinds: (terminating.status.conditions as { type: string }[]).map(({ type }) => type),
  });
  await s.get(`${own.objects()}/b`);
  await s.post(own.objects(), own.thing({ size: 3 }, { name: 'c' }));
  await s.patch('merge', `${own.objects()}/b`, { spec: { size: 5 } });
  await s.until(`/apis/${own.group}/v1`, ({ json: list }) => !JSON.stringify(list).includes('create'));
  await s.get(`/apis/${own.group}/v1`);
  await s.watch(
    `${own.objects()}?watch=1&resourceVersion=${json.metadata.resourceVersion as string}&timeoutSeconds=5`,
    2,
  );
  await s.patch('merge', `${own.objects()}/b`, { metadata: { finalizers: null } });
  await own.until((_, status) => status === 404);
  await s.get(own.path);
  await s.get(own.objects());
});
add('a definition is deleted and made again', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await s.post(own.objects(), own.thing());
  await s.quietly('DELETE', own.path);
  await own.until((_, status) => status === 404);
  await own.serve();
  await s.get(own.objects());
  await s.post(own.objects(), own.thing());
});
add('a kind that is in no namespace', async (s) => {
  const own = await OwnDefinition.of(s, [version('v1', sized, { subresources: { status: {} } })], {
    scope: 'Cluster',
  }).serve();
  await s.post(own.everywhere(), own.thing());
  await s.get(own.everywhere());
  await s.get(`${own.everywhere()}/a`);
  await s.get(own.objects());
  await s.post(own.objects(), own.thing());
  await s.post(own.everywhere(), own.thing({ size: 1 }, { name: 'b', namespace: s.namespace }));
  await s.patch('merge', `${own.everywhere()}/a/status`, { status: {} });
  await s.get(`${own.everywhere()}?fieldSelector=metadata.namespace%3Dx`);
  await s.until(`/apis/${own.group}/v1`, ({ status }) => status === 200);
  await s.get(`/apis/${own.group}/v1`);
  await s.delete(`${own.everywhere()}/a`);
});
add('paths that there are not', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  await s.post(own.objects(), own.thing());
  for (const path of [
    own.objects('v9'),
    `${own.objects()}/a/status`,
    `${own.objects()}/a/scale`,
    `${own.objects()}/a/other`,
    `${own.objects()}/a/status/x`,
    `/apis/${own.group}/v1/others`,
    `/apis/${own.group}`,
    `/apis/${own.group}/v9`,
  ]) {
    await s.get(path);
  }
  await s.post(own.everywhere(), own.thing());
  await s.delete(own.everywhere());
  await s.patch('merge', `${own.objects()}/a/status`, {});
});
add('a deprecated version', async (s) => {
  const own = await OwnDefinition.of(s, [
    version('v1', sized),
    version('v1beta1', sized, { storage: false, deprecated: true }),
    version('v1alpha1', sized, { storage: false, deprecated: true, deprecationWarning: 'v1alpha1 "is" old; ü' }),
  ]).serve();
  for (const served of ['v1beta1', 'v1alpha1', 'v1']) {
    const path = own.objects(served);
    await s.post(path, own.thing({ size: 1, zzz: 2 }, {}, served));
    await s.get(path);
    await s.get(`${path}/a`);
    await s.get(`${path}/none`);
    await s.patch('merge', `${path}/a`, { spec: { size: 2 } });
    await s.watch(`${path}?watch=1&timeoutSeconds=5`, 1);
    await s.delete(`${path}/a`);
  }
});
add('definitions as a table', async (s) => {
  const own = await OwnDefinition.simple(s).serve();
  const { json } = await s.quietlyAccepting(own.path, 'application/json;as=Table;v=v1;g=meta.k8s.io');
  s.note(
    'columns',
    (json.columnDefinitions as { name: string; type: string }[]).map(({ name, type }) => ({ name, type })),
  );
  s.note('first cell', json.rows[0].cells[0]);
});
add('the protected groups', async (s) => {
  const body = (annotations: JsonObject | undefined): JsonObject => ({
    ...definition('conformance.k8s.io', 'Thing', [version('v1', sized)]),
    metadata: { name: 'things.conformance.k8s.io', ...(annotations === undefined ? {} : { annotations }) },
  });
  const name = 'api-approved.kubernetes.io';
  for (const annotations of [
    undefined,
    { [name]: 'x' },
    { [name]: 'unapproved, for a test' },
    { [name]: 'https://example.com/pull/1' },
    { [name]: 'http' },
  ]) {
    await s.post(`${definitionsPath}?dryRun=All`, body(annotations));
  }
});

addDefinitionViewCases(add);
addConversionCases(add);
addInvalidDefinitionCases(add);
