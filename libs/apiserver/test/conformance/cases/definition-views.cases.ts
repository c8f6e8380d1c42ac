import type { JsonObject } from '../../../src/index.js';
import { version } from '../definitions.js';
import { OwnDefinition } from '../own-definition.js';
import type { CaseBody } from '../session.js';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const column = (name: string, type: string, jsonPath: string, more: JsonObject = {}): JsonObject => ({
  name,
  type,
  jsonPath,
  ...more,
});

/** Tables, scales and selectable fields of custom resources. */
export function addDefinitionViewCases(add: (name: string, run: CaseBody) => void): void {
  const open = {
    properties: {
      spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };

  add('tables: columns of each type', async (s) => {
    const own = await OwnDefinition.of(s, [
      version('v1', open, {
        additionalPrinterColumns: [
          column('Text', 'string', '.spec.text', { description: 'a text' }),
          column('Integer', 'integer', '.spec.integer', { priority: 1 }),
          column('Number', 'number', '.spec.number', { format: 'double' }),
          column('Boolean', 'boolean', '.spec.boolean'),
          column('Date', 'date', '.spec.date'),
          column('Missing', 'string', '.spec.missing'),
          column('Object', 'string', '.spec.object'),
          column('List', 'string', '.spec.list'),
          column('Item', 'string', '.spec.list[1]'),
          column('All', 'string', '.spec.items[*].name'),
          column('Filter', 'string', '.spec.items[?(@.type=="Ready")].name'),
          column('Escaped', 'string', '.metadata.annotations.example\\.com/a'),
          column('Quoted', 'string', ".metadata.labels['b.c']"),
          column('Range', 'string', '.spec.list[0:2]'),
        ],
      }),
    ]).serve();
    await s.quietly(
      'POST',
      own.objects(),
      own.thing(
        {
          text: 'x',
          integer: 5,
          number: 1.5,
          boolean: true,
          date: '2000-01-01T00:00:00Z',
          object: { a: 1 },
          list: ['a', 'b', 'c'],
          items: [
            { type: 'Ready', name: 'r' },
            { type: 'Other', name: 'o' },
          ],
        },
        { annotations: { 'example.com/a': 'y' }, labels: { 'b.c': 'z' } },
      ),
    );
    await s.quietly(
      'POST',
      own.objects(),
      own.thing({ text: 5, integer: 'x', number: '1', boolean: 'true', date: 'x', list: 'no' }, { name: 'b' }),
    );
    await s.quietly(
      'POST',
      own.objects(),
      own.thing(
        { text: null, integer: 1.9, number: 2, boolean: null, date: '2999-01-01T00:00:00Z', list: [], items: [] },
        { name: 'c' },
      ),
    );
    const { json } = await s.quietlyAccepting(own.objects(), table);
    // The first describes names, as a document that is not compared.
    s.note('columns', (json.columnDefinitions as JsonObject[]).slice(1));
    // How old the far date is changes with the day.
    s.note(
      'rows',
      (json.rows as { cells: unknown[] }[]).map(({ cells }) =>
        cells.map((cell, at) => (at === 5 && /^\d+y$/.test(String(cell)) ? '<years>' : cell)),
      ),
    );
  });
  add('tables: no columns', async (s) => {
    const own = await OwnDefinition.simple(s).serve();
    await s.quietly('POST', own.objects(), own.thing());
    await s.get(own.objects(), table);
    await s.get(`${own.objects()}/a`, table);
    await s.get(`${own.objects()}?includeObject=None`, table);
    await s.get(`${own.objects()}?includeObject=Object`, table);
    await s.get(`${own.objects()}?includeObject=Bogus`, table);
    await s.get(`${own.objects()}?limit=1`, 'application/json;as=Table;v=v1beta1;g=meta.k8s.io');
    await s.get(`${own.objects()}?watch=1&timeoutSeconds=1&resourceVersion=0`, table);
  });
  add('tables: a column of the age', async (s) => {
    const own = await OwnDefinition.of(s, [
      version('v1', open, {
        additionalPrinterColumns: [
          column('Age', 'date', '.metadata.creationTimestamp'),
          column('Name', 'string', '.metadata.name'),
          column('Twice', 'string', '.metadata.name'),
        ],
      }),
    ]).serve();
    await s.quietly('POST', own.objects(), own.thing());
    await s.get(own.objects(), table);
  });

  const scaled = {
    subresources: {
      scale: {
        specReplicasPath: '.spec.nested.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
      status: {},
    },
  };
  add('scale: paths into the object', async (s) => {
    const own = await OwnDefinition.of(s, [version('v1', open, scaled)]).serve();
    const path = `${own.objects()}/a`;
    await s.post(own.objects(), own.thing({ nested: { replicas: 2 } }));
    await s.get(`${path}/scale`);
    await s.patch('merge', `${path}/status`, { status: { replicas: 1, selector: 'a=b,c in (d)' } });
    const { json } = await s.get(`${path}/scale`);
    await s.put(`${path}/scale`, { ...json, spec: { replicas: 5 }, status: { replicas: 9 } });
    await s.put(`${path}/scale`, { ...json, spec: { replicas: 6 } });
    await s.patch('merge', `${path}/scale`, { spec: { replicas: 0 } });
    await s.patch('json', `${path}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 3 }]);
    await s.patch('merge', `${path}/scale`, { metadata: { labels: { a: '1' } } });
    await s.put(`${path}/scale`, { apiVersion: 'v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 1 } });
    await s.put(`${path}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'b' },
      spec: { replicas: 1 },
    });
    await s.put(`${path}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 1 },
    });
    await s.get(path);
    await s.delete(`${path}/scale`);
    await s.get(`${own.objects()}/none/scale`);
  });
  add('scale: paths that lead nowhere', async (s) => {
    const own = await OwnDefinition.of(s, [version('v1', open, scaled)]).serve();
    await s.post(own.objects(), own.thing({}));
    await s.get(`${own.objects()}/a/scale`);
    await s.patch('merge', `${own.objects()}/a/scale`, { spec: { replicas: 2 } });
    await s.put(`${own.objects()}/a/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 2 },
    });
    await s.get(`${own.objects()}/a`);
    await s.post(own.objects(), own.thing({ nested: 'x' }, { name: 'b' }));
    await s.post(own.objects(), own.thing({ nested: { replicas: 'x' } }, { name: 'c' }));
    await s.post(own.objects(), own.thing({ nested: { replicas: -1 } }, { name: 'd' }));
    await s.patch('merge', `${own.objects()}/a/status`, { status: { replicas: 'x', selector: 5 } });
    await s.get(`${own.objects()}/a/scale`);
  });

  add('selectable fields', async (s) => {
    const properties = {
      color: { type: 'string' },
      size: { type: 'integer' },
      on: { type: 'boolean' },
      inner: { type: 'object', properties: { deep: { type: 'string' } } },
    };
    const selectableFields = ['.spec.color', '.spec.size', '.spec.on', '.spec.inner.deep'].map((jsonPath) => ({
      jsonPath,
    }));
    const own = await OwnDefinition.simple(s, properties, { selectableFields }).serve();
    const { json } = await s.quietly('GET', own.objects());
    await s.quietly('POST', own.objects(), own.thing({ color: 'red', size: 1, on: true, inner: { deep: 'x' } }));
    await s.quietly('POST', own.objects(), own.thing({ color: 'blue', size: 2 }, { name: 'b' }));
    await s.quietly('POST', own.objects(), own.thing({}, { name: 'c' }));
    const names = async (selector: string): Promise<void> => {
      const { status, json: list } = await s.quietly(
        'GET',
        `${own.objects()}?fieldSelector=${encodeURIComponent(selector)}`,
      );
      s.note(
        selector,
        status === 200
          ? (list.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
          : list.message,
      );
    };
    for (const selector of [
      'spec.color=red',
      'spec.color!=red',
      'spec.color=',
      'spec.size=2',
      'spec.on=true',
      'spec.on=false',
      'spec.inner.deep=x',
      'spec.color=red,spec.size=1',
      'spec.color=red,metadata.name=b',
      'spec.other=1',
      'spec.inner=x',
      'metadata.labels=x',
      'spec.color',
    ]) {
      await names(selector);
    }
    await s.quietly('PATCH', `${own.objects()}/a`, { spec: { color: 'blue' } }, 'application/merge-patch+json');
    await s.quietly('PATCH', `${own.objects()}/c`, { spec: { color: 'red' } }, 'application/merge-patch+json');
    await s.watch(
      `${own.objects()}?watch=1&fieldSelector=spec.color%3Dred&resourceVersion=${json.metadata.resourceVersion as string}&timeoutSeconds=5`,
      3,
    );
    await s.delete(`${own.objects()}?fieldSelector=spec.color%3Dblue`);
    await s.get(`${own.objects()}?fieldSelector=spec.color%3Dblue`);
  });
}
