import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/index.js';
import { server } from '../support/fixtures.js';
import { call } from '../support/http.js';
import { recordedDefinitions } from './recorded.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const withProperty = (property: unknown): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.corpus.example.com' },
  spec: {
    group: 'corpus.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { p: property } } },
          },
        },
      },
    ],
  },
});

interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

describe('definitions', () => {
  it('are taken and refused as the real server does, for the same causes', async () => {
    const { url } = await server({ crds: [] });
    const recorded = recordedDefinitions();
    expect(recorded.length).toBeGreaterThan(300);
    const different: unknown[] = [];
    for (const { name, definition, property, causes } of recorded) {
      const body = definition ?? withProperty(property);
      const { status, json } = await call(url, 'POST', `${definitions}?dryRun=All`, { body });
      const found = ((json.details?.causes ?? []) as Cause[]).map(({ field, reason, message }) =>
        [field, reason, message].join(' | '),
      );
      const wanted = causes.map((cause) => cause.join(' | '));
      const isSame = JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted());
      if (!isSame || (status === 201) !== (causes.length === 0)) different.push({ name, status, wanted, found });
    }
    expect(different).toEqual([]);
  });

  it('are refused where rules cannot be evaluated, and the server goes on', async () => {
    const { url } = await server({ crds: [] });
    const property = {
      type: 'string',
      'x-kubernetes-validations': [{ rule: "google.protobuf.Duration{seconds: 1} == duration('1s')" }],
    };
    const { json } = await call(url, 'POST', definitions, { body: withProperty(property) });
    expect(json).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(json.message).toContain("messages such as 'google.protobuf.Duration' are not supported by this server");
    expect((await call(url, 'GET', definitions)).json.items).toEqual([]);
  });
});
