import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApiServer, type ApiServer } from '../src/index.js';

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

let api: ApiServer;
beforeEach(async () => {
  api = await startApiServer();
});
afterEach(() => api.close());

it.each(['/api/v1', '/apis/events.k8s.io/v1'])(
  'shows events of %s as kubectl expects them: by age, without name',
  async (root) => {
    const { metadata } = await api.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'default' },
      type: 'Normal',
      reason: 'Seen',
      message: 'it is there',
    });
    expect(metadata.name).toBe('e');
    const answer = await fetch(`${api.url}${root}/namespaces/default/events`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    const { columnDefinitions, rows } = (await answer.json()) as Table;
    const shown = columnDefinitions.filter(({ priority }) => priority === 0).map(({ name }) => name);
    expect(shown).toEqual(['Last Seen', 'Type', 'Reason', 'Object', 'Message']);
    expect(columnDefinitions.at(-1)).toMatchObject({ name: 'Name', priority: 1 });
    const [, ...cells] = rows[0]?.cells ?? [];
    expect(cells).toEqual(['Normal', 'Seen', 'configmap/c', '', '', 'it is there', '<unknown>', 1, 'e']);
  },
);
