import { expect } from 'vitest';
import { unchecked, type Trial } from '../trial.js';

/** Definitions of software that delivers other software. */
export const deliveryTrials: readonly Trial[] = [
  {
    plural: 'applications',
    shape: 'no status subresource, an operation beside the specification',
    object: {
      spec: {
        project: 'default',
        destination: { namespace: 'shop', server: 'https://kubernetes.default.svc' },
        source: {
          repoURL: 'https://git.example.com/shop',
          path: 'deploy',
          helm: { valuesObject: { image: { tag: 1.5 }, hosts: ['a', null] } },
        },
        syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
      },
      status: { sync: { status: 'Unknown' }, health: { status: 'Missing' } },
    },
    stored: {
      spec: {
        project: 'default',
        destination: { namespace: 'shop', server: 'https://kubernetes.default.svc' },
        source: {
          repoURL: 'https://git.example.com/shop',
          path: 'deploy',
          helm: { valuesObject: { image: { tag: 1.5 }, hosts: ['a', null] } },
        },
        syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
      },
      status: { sync: { status: 'Unknown' } },
    },
    warnings: ['unknown field "status.health"'],
    changes: {
      'beside the specification': {
        patch: {
          operation: { sync: { prune: true }, retry: { limit: 3 } },
          spec: { source: null, syncPolicy: null },
          status: null,
        },
        stored: {
          operation: { sync: { prune: true }, retry: { limit: 3 } },
          spec: { project: 'default', destination: { namespace: 'shop', server: 'https://kubernetes.default.svc' } },
        },
      },
    },
    refusals: {
      'a source without a repository': {
        patch: { spec: { source: { repoURL: null } } },
        causes: ['spec.source.repoURL: Required value'],
      },
    },
    further: {
      'has its status in every write': async (use) => {
        const path = await use.given('with-status', { spec: { project: 'p', destination: {} } });
        const answer = await use.patch(path, { status: { sync: { status: 'Synced', revision: 'a1' } } });
        expect(answer.json.status).toEqual({ sync: { status: 'Synced', revision: 'a1' } });
        expect(answer.json.metadata.generation).toBe(2);
        expect((await use.get(`${path}/status`)).status).toBe(404);
      },
    },
  },
  {
    plural: 'workflows',
    shape: 'open specification and status, without a status subresource',
    object: {
      spec: {
        entrypoint: 'main',
        arguments: {},
        templates: [{ name: 'main', container: { image: 'busybox', args: ['{{=1 + 1}}'], env: null } }],
      },
    },
    stored: {
      spec: {
        entrypoint: 'main',
        arguments: {},
        templates: [{ name: 'main', container: { image: 'busybox', args: ['{{=1 + 1}}'], env: null } }],
      },
    },
    changes: {
      'what is deep': {
        patch: { spec: { arguments: { parameters: [{ name: 'a', value: 1 }] }, templates: [] } },
        stored: {
          spec: { entrypoint: 'main', arguments: { parameters: [{ name: 'a', value: 1 }] }, templates: [] },
        },
      },
      'the status': {
        patch: { status: { phase: 'Running', nodes: { 'a.b-1': { phase: 'Pending' } } }, spec: { templates: null } },
        stored: {
          spec: { entrypoint: 'main', arguments: {} },
          status: { phase: 'Running', nodes: { 'a.b-1': { phase: 'Pending' } } },
        },
      },
    },
    refusals: {
      'no specification': { object: {}, causes: ['spec: Required value'] },
      'a specification that is a text': {
        object: { spec: 'all of it' },
        causes: ['spec: Invalid value: "string": spec in body must be of type object: "string"'],
      },
    },
  },
  {
    plural: 'pipelineruns',
    shape: 'a deprecated version that knows no fields, values of any type',
    object: {
      spec: {
        pipelineRef: { name: 'build' },
        params: [
          { name: 'text', value: 'a' },
          { name: 'list', value: ['a', 'b'] },
          { name: 'map', value: { a: '1' } },
        ],
        workspaces: [{ name: 'source', emptyDir: {} }],
      },
    },
    stored: {
      spec: {
        pipelineRef: { name: 'build' },
        params: [
          { name: 'text', value: 'a' },
          { name: 'list', value: ['a', 'b'] },
          { name: 'map', value: { a: '1' } },
        ],
        workspaces: [{ name: 'source', emptyDir: {} }],
      },
    },
    changes: {
      'a status that is a wish': {
        patch: { spec: { status: 'Cancelled', params: [{ name: 'text', value: 5 }], workspaces: null } },
        stored: { spec: { pipelineRef: { name: 'build' }, status: 'Cancelled', params: [{ name: 'text', value: 5 }] } },
      },
    },
    refusals: {
      'a parameter without a value': {
        patch: { spec: { params: [{ name: 'a' }] } },
        causes: ['spec.params[0].value: Required value'],
      },
    },
    further: {
      'loses what only the older version keeps': async (use) => {
        const answer = await use.create(
          'old',
          { spec: { taskRunSpecs: [{ a: 1 }], timeout: '1h', status: 'x' } },
          'v1beta1',
        );
        expect(answer.status).toBe(201);
        expect(answer.warnings).toEqual([
          'tekton.dev/v1beta1 PipelineRun is deprecated; use tekton.dev/v1 PipelineRun',
        ]);
        // What is stored is of the version that is stored, and has nothing that it does not know.
        expect(answer.json.spec).toEqual({ status: 'x' });
        expect((await use.get(`${use.objects('v1beta1')}/old`)).json.spec).toEqual({ status: 'x' });
        expect((await use.get(`${use.objects()}/old`)).json.spec).toEqual({ status: 'x' });
      },
      'has a status of its own': async (use) => {
        const path = await use.given('status', { spec: {}, status: { startTime: 'now' } });
        expect((await use.get(path)).json.status).toBeUndefined();
        const answer = await use.patch(`${path}/status`, {
          spec: { status: 'x' },
          status: { conditions: [{ type: 'Succeeded', status: 'Unknown' }], childReferences: [{ name: 'a' }] },
        });
        expect(answer.status).toBe(200);
        expect(answer.json.spec).toEqual({});
        expect(answer.json.metadata.generation).toBe(1);
        expect(answer.json.status.childReferences).toEqual([{ name: 'a' }]);
      },
    },
  },
  {
    plural: 'helmreleases',
    shape: 'values that may be anything, one of two references',
    storesDefaultsLater: true,
    object: {
      spec: { interval: '10m', chart: { spec: { chart: 'shop' } }, values: { a: { b: [1, null, 'x', 1.5] } } },
    },
    stored: {
      spec: {
        interval: '10m',
        chart: { spec: { chart: 'shop', version: '*', reconcileStrategy: 'ChartVersion' } },
        values: { a: { b: [1, null, 'x', 1.5] } },
      },
      status: { observedGeneration: -1 },
    },
    changes: {
      'values that are a list': {
        patch: { spec: { values: [1, [2, { c: null }], { d: null }] } },
        stored: {
          spec: {
            interval: '10m',
            chart: { spec: { chart: 'shop', version: '*', reconcileStrategy: 'ChartVersion' } },
            values: [1, [2, { c: null }], { d: null }],
          },
          status: { observedGeneration: -1 },
        },
      },
      'the other reference': {
        patch: { spec: { chart: null, chartRef: { kind: 'HelmChart', name: 'shop' }, values: 5 } },
        stored: {
          spec: { interval: '10m', chartRef: { kind: 'HelmChart', name: 'shop' }, values: 5 },
          status: { observedGeneration: -1 },
        },
      },
      'a default that is taken away comes back': {
        patch: { spec: { chart: { spec: { version: null } } } },
        again: false,
        stored: {
          spec: {
            interval: '10m',
            chart: { spec: { chart: 'shop', version: '*', reconcileStrategy: 'ChartVersion' } },
            values: { a: { b: [1, null, 'x', 1.5] } },
          },
          status: { observedGeneration: -1 },
        },
      },
    },
    refusals: {
      'both references': {
        patch: { spec: { chartRef: { kind: 'HelmChart', name: 'shop' } } },
        causes: ['spec: Invalid value: either a chart or a reference to one'],
      },
      'an interval without a unit': {
        patch: { spec: { interval: '10' } },
        causes: [
          `spec.interval: Invalid value: "10": spec.interval in body should match '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$'`,
        ],
      },
      'a name that is too long, and a strategy that there is not': {
        patch: { spec: { releaseName: 'a'.repeat(54), chart: { spec: { reconcileStrategy: 'None' } } } },
        causes: [
          'spec.chart.spec.reconcileStrategy: Unsupported value: "None": supported values: "ChartVersion", "Revision"',
          'spec.releaseName: Too long: may not be more than 53 bytes',
          unchecked,
        ],
      },
    },
  },
  {
    plural: 'kopfexamples',
    shape: 'open parts and nothing else',
    object: { spec: { duration: '1m', field: 'value', items: ['item1'] }, other: 1 },
    stored: { spec: { duration: '1m', field: 'value', items: ['item1'] } },
    warnings: ['unknown field "other"'],
    changes: {
      'both parts': {
        patch: { spec: { duration: 2 }, status: { create_fn: { children: ['a'] } } },
        stored: {
          spec: { duration: 2, field: 'value', items: ['item1'] },
          status: { create_fn: { children: ['a'] } },
        },
      },
    },
    refusals: {
      'a list for a specification': {
        patch: { spec: [] },
        causes: ['spec: Invalid value: "array": spec in body must be of type object: "array"'],
      },
    },
  },
];
