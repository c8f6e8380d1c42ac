import { describe, expect, it } from 'vitest';
import { configMap, configMaps, server, widget, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

describe('a custom resource, from creation to deletion', () => {
  it('is created, read, listed, changed and deleted, and a watch sees it all', async () => {
    const { url } = await server();
    const watch = await WatchStream.open(url, `${widgets}?watch=true&allowWatchBookmarks=true`);
    expect(await watch.next()).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Widget', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });

    const created = await call(url, 'POST', widgets, { body: widget('a', { spec: { unknown: 1 } }) });
    expect(created.status).toBe(201);
    expect(created.json.metadata).toMatchObject({ name: 'a', namespace: 'default', generation: 1 });
    expect(created.json.spec).toEqual({ size: 1, replicas: 1 });
    expect(await watch.next()).toEqual({ type: 'ADDED', object: created.json });

    const list = await call(url, 'GET', widgets);
    expect(list.json).toMatchObject({ kind: 'WidgetList', apiVersion: 'example.com/v1', items: [created.json] });

    const changed = await call(url, 'PATCH', `${widgets}/a`, { contentType: 'merge', body: { spec: { size: 2 } } });
    expect(changed.json).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 } });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed.json });

    const status = await call(url, 'PATCH', `${widgets}/a/status`, {
      contentType: 'merge',
      body: { status: { phase: 'Ready' }, spec: { size: 9 } },
    });
    expect(status.json).toMatchObject({ metadata: { generation: 2 }, spec: { size: 2 }, status: { phase: 'Ready' } });
    await watch.next();

    const deleted = await call(url, 'DELETE', `${widgets}/a`);
    expect(deleted.json).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a', kind: 'widgets' } });
    const gone = await watch.next();
    expect(gone.type).toBe('DELETED');
    expect(Number(gone.object.metadata.resourceVersion)).toBeGreaterThan(Number(status.json.metadata.resourceVersion));
    expect((await call(url, 'GET', `${widgets}/a`)).status).toBe(404);
  });

  it('built-in resources and unknown paths are answered as by the real server', async () => {
    const { url } = await server();
    expect((await call(url, 'POST', configMaps, { body: configMap('c', { a: '1' }) })).status).toBe(201);
    const items = (await call(url, 'GET', configMaps)).json.items as unknown[];
    expect(items).toHaveLength(1);
    expect(items[0]).not.toHaveProperty('kind');
    const unknown = await call(url, 'GET', '/apis/nothing.example/v1/things');
    expect([unknown.status, unknown.text]).toEqual([404, '404 page not found\n']);
  });
});
