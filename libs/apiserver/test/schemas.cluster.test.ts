import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApiServer, type ApiServer, type JsonObject } from '../src/index.js';
import { builtinResources } from '../src/resources/builtin-resources.js';
import { widgetDefinition } from './support/fixtures.js';
import { call } from './support/http.js';

const plane = connectControlPlane(inject('controlPlane' as never) as ControlPlaneAddress);

interface Document {
  paths: Record<string, unknown>;
  components: { schemas: Record<string, JsonObject> };
}

/** A document without what the embedded server leaves out: descriptions, and the kinds of other groups. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(
    ([key, member]) => !(key === 'description' && typeof member === 'string') && key !== 'x-kubernetes-unions',
  );
  return Object.fromEntries(left.map(([key, member]) => [key, comparable(member)]));
}

/** Their list of kinds names all groups of the server. */
const shared = ['DeleteOptions', 'WatchEvent'].map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`);

let api: ApiServer;

beforeAll(async () => {
  api = await startApiServer({ crds: [widgetDefinition] });
});

afterAll(() => api.close());

describe('the schemas of built-in types', () => {
  const prefixes = [
    ...new Set(
      builtinResources.map(({ group, version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`)),
    ),
  ];

  it.each(prefixes)('are those that the real server publishes: %s', async (prefix) => {
    const path = `/openapi/v3/${prefix}`;
    const real = JSON.parse((await plane.kubectl(['get', '--raw', path])).stdout) as Document;
    const embedded = (await call(api.url, 'GET', path)).json as Document;
    expect(Object.keys(embedded.components.schemas).length).toBeGreaterThan(5);
    for (const [name, schema] of Object.entries(embedded.components.schemas)) {
      const wanted = comparable(real.components.schemas[name]) as JsonObject;
      const own = comparable(schema) as JsonObject;
      if (shared.includes(name)) for (const each of [wanted, own]) delete each['x-kubernetes-group-version-kind'];
      expect(own, name).toEqual(wanted);
    }
    for (const [url, operations] of Object.entries(embedded.paths)) {
      expect(comparable(operations), url).toEqual(comparable(real.paths[url]));
    }
  });
});
