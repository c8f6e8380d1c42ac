import { expect } from 'vitest';
import type { Trial } from '../trial.js';

const route = { path: { type: 'PathPrefix', value: '/' } };

/** Definitions of software that carries traffic. */
export const networkingTrials: readonly Trial[] = [
  {
    plural: 'destinationrules',
    shape: 'three versions are served, with one schema; nulls and alternatives',
    object: {
      spec: {
        host: 'shop',
        trafficPolicy: {
          outlierDetection: { consecutive5xxErrors: null, consecutiveGatewayErrors: 4294967295 },
          loadBalancer: { simple: 'RANDOM', warmup: null },
          connectionPool: { http: { idleTimeout: '1.5s', maxRetries: 3 } },
        },
      },
    },
    stored: {
      spec: {
        host: 'shop',
        trafficPolicy: {
          outlierDetection: { consecutive5xxErrors: null, consecutiveGatewayErrors: 4294967295 },
          loadBalancer: { simple: 'RANDOM', warmup: null },
          connectionPool: { http: { idleTimeout: '1.5s', maxRetries: 3 } },
        },
      },
    },
    changes: {
      'a null becomes a number': {
        patch: { spec: { trafficPolicy: { outlierDetection: { consecutive5xxErrors: 5 }, connectionPool: null } } },
        stored: {
          spec: {
            host: 'shop',
            trafficPolicy: {
              outlierDetection: { consecutive5xxErrors: 5, consecutiveGatewayErrors: 4294967295 },
              loadBalancer: { simple: 'RANDOM', warmup: null },
            },
          },
        },
      },
      'the other alternative': {
        patch: {
          spec: { trafficPolicy: { loadBalancer: { simple: null, consistentHash: { httpHeaderName: 'x' } } } },
        },
        stored: {
          spec: {
            host: 'shop',
            trafficPolicy: {
              outlierDetection: { consecutive5xxErrors: null, consecutiveGatewayErrors: 4294967295 },
              loadBalancer: { consistentHash: { httpHeaderName: 'x' }, warmup: null },
              connectionPool: { http: { idleTimeout: '1.5s', maxRetries: 3 } },
            },
          },
        },
      },
    },
    refusals: {
      'both alternatives': {
        patch: { spec: { trafficPolicy: { loadBalancer: { consistentHash: {} } } } },
        causes: [
          '<nil>: Invalid value: "": "spec.trafficPolicy.loadBalancer" must validate one and only one schema (oneOf). Found 2 valid alternatives',
        ],
      },
      'a number out of its range': {
        patch: { spec: { trafficPolicy: { outlierDetection: { consecutive5xxErrors: 4294967296 } } } },
        causes: [
          'spec.trafficPolicy.outlierDetection.consecutive5xxErrors: Invalid value: 4294967296: spec.trafficPolicy.outlierDetection.consecutive5xxErrors in body should be less than or equal to 4294967295',
        ],
      },
      'too short a duration': {
        patch: { spec: { trafficPolicy: { connectionPool: { http: { idleTimeout: '1us' } } } } },
        causes: [
          'spec.trafficPolicy.connectionPool.http.idleTimeout: Invalid value: "1us": a duration of a millisecond at least',
        ],
      },
      'no duration at all': {
        patch: { spec: { trafficPolicy: { connectionPool: { http: { idleTimeout: 'soon' } } } } },
        causes: [
          `spec.trafficPolicy.connectionPool.http.idleTimeout: Invalid value: "string": type conversion error from 'string' to 'google.protobuf.Duration' evaluating rule: a duration of a millisecond at least`,
        ],
      },
      'a wildcard and too many labels': {
        patch: { spec: { workloadSelector: { matchLabels: { a: '*', b: 'b' } } } },
        causes: ['spec.workloadSelector.matchLabels[a]: Invalid value: "*": a wildcard is not a label'],
      },
    },
    further: {
      'is written and watched in each version': async (use) => {
        const created = await use.create('versions', { spec: { host: 'a' } }, 'v1alpha3');
        expect(created.json.apiVersion).toBe('networking.istio.io/v1alpha3');
        const patched = await use.patch(`${use.objects('v1beta1')}/versions`, { spec: { host: 'b' } });
        expect(patched.json.apiVersion).toBe('networking.istio.io/v1beta1');
        expect(patched.json.metadata.generation).toBe(2);
        const list = await use.get(`${use.objects('v1')}?fieldSelector=metadata.name%3Dversions`);
        expect(list.json.items).toHaveLength(1);
        expect(list.json.items[0]).toMatchObject({ apiVersion: 'networking.istio.io/v1', spec: { host: 'b' } });
      },
    },
  },
  {
    plural: 'telemetries',
    shape: 'the older version is the one that is stored',
    object: {
      spec: { tracing: [{ disableSpanReporting: null, randomSamplingPercentage: 0.5, customTags: { a: {} } }] },
    },
    stored: {
      spec: { tracing: [{ disableSpanReporting: null, randomSamplingPercentage: 0.5, customTags: { a: {} } }] },
    },
    changes: {
      'an alternative in a map': {
        patch: {
          spec: { tracing: [{ randomSamplingPercentage: 100, customTags: { a: { literal: { value: 'x' } } } }] },
        },
        stored: {
          spec: { tracing: [{ randomSamplingPercentage: 100, customTags: { a: { literal: { value: 'x' } } } }] },
        },
      },
    },
    refusals: {
      'more than all': {
        patch: { spec: { tracing: [{ randomSamplingPercentage: 100.5 }] } },
        causes: [
          'spec.tracing[0].randomSamplingPercentage: Invalid value: 100.5: spec.tracing[0].randomSamplingPercentage in body should be less than or equal to 100',
        ],
      },
      'two alternatives, one of them incomplete': {
        patch: { spec: { tracing: [{ customTags: { 'a.b/c': { literal: { value: 'x' }, header: {} } } }] } },
        causes: [
          '<nil>: Invalid value: "": "spec.tracing[0].customTags.a.b/c" must validate one and only one schema (oneOf). Found 2 valid alternatives',
          'spec.tracing[0].customTags.a.b/c.header.name: Required value',
        ],
      },
    },
  },
  {
    plural: 'httproutes',
    shape: 'defaults within defaults, rules over lists, a protected group',
    object: { spec: { hostnames: ['*.example.com'], parentRefs: [{ name: 'gate' }] } },
    stored: {
      spec: {
        hostnames: ['*.example.com'],
        parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'gate' }],
        rules: [{ matches: [route] }],
      },
    },
    changes: {
      'rules of its own': {
        patch: {
          spec: {
            rules: [
              { backendRefs: [{ name: 'shop', port: 80 }] },
              { matches: [{ method: 'GET' }, { path: { value: '/a' } }], backendRefs: [{ name: 'b', kind: 'Bucket' }] },
            ],
          },
        },
        stored: {
          spec: {
            hostnames: ['*.example.com'],
            parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'gate' }],
            rules: [
              { matches: [route], backendRefs: [{ name: 'shop', port: 80, kind: 'Service', weight: 1 }] },
              {
                matches: [{ ...route, method: 'GET' }, { path: { type: 'PathPrefix', value: '/a' } }],
                backendRefs: [{ name: 'b', kind: 'Bucket', weight: 1 }],
              },
            ],
          },
        },
      },
    },
    refusals: {
      'a path without a slash, one with an empty part': {
        patch: {
          spec: {
            rules: [
              { matches: [{ path: { value: 'a' } }] },
              { matches: [route, { path: { type: 'Exact', value: '/a//b' } }] },
            ],
          },
        },
        causes: [
          'spec.rules[0].matches[0].path: Invalid value: such a path begins with a slash',
          'spec.rules[1].matches[1].path: Invalid value: such a path has no empty parts',
        ],
      },
      'a service without a port': {
        patch: { spec: { rules: [{ backendRefs: [{ name: 'a' }] }] } },
        causes: ['spec.rules[0].backendRefs[0]: Invalid value: services need a port'],
      },
      'a parent twice': {
        patch: { spec: { parentRefs: [{ name: 'a' }, { name: 'a' }] } },
        causes: ['spec.parentRefs: Invalid value: each parent is named once'],
      },
      'host names that are none': {
        patch: { spec: { hostnames: ['a_b', ''] } },
        causes: [
          `spec.hostnames[0]: Invalid value: "a_b": spec.hostnames[0] in body should match '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'`,
          'spec.hostnames[1]: Invalid value: "": spec.hostnames[1] in body should be at least 1 chars long',
        ],
      },
      'a weight and a port out of their ranges': {
        patch: { spec: { rules: [{ backendRefs: [{ name: 'a', port: 65536, weight: -1 }] }] } },
        causes: [
          'spec.rules[0].backendRefs[0].port: Invalid value: 65536: spec.rules[0].backendRefs[0].port in body should be less than or equal to 65535',
          'spec.rules[0].backendRefs[0].weight: Invalid value: -1: spec.rules[0].backendRefs[0].weight in body should be greater than or equal to 0',
        ],
      },
    },
    further: {
      'has the status of each parent': async (use) => {
        const path = await use.given('status', { spec: {} });
        const condition = { type: 'Accepted', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z' };
        const parent = { controllerName: 'example.com/gate', parentRef: { name: 'gate' }, conditions: [condition] };
        const answer = await use.patch(`${path}/status`, { status: { parents: [parent] } });
        expect(answer.status, JSON.stringify(answer.json)).toBe(200);
        expect(answer.json.status).toEqual({ parents: [parent] });
        expect(answer.json.metadata.generation).toBe(1);
        const twice = await use.patch(`${path}/status`, {
          status: { parents: [{ ...parent, conditions: [condition, condition] }] },
        });
        expect(twice.status).toBe(422);
        expect(twice.json.details.causes).toEqual([
          {
            reason: 'FieldValueDuplicate',
            message: 'Duplicate value: {"type":"Accepted"}',
            field: 'status.parents[0].conditions[1]',
          },
        ]);
      },
    },
  },
  {
    plural: 'bgppeers',
    shape: 'two versions with different fields, without conversion',
    object: { spec: { myASN: 64512, peerAddress: '10.0.0.1' } },
    stored: { spec: { myASN: 64512, peerAddress: '10.0.0.1', peerPort: 179, disableMP: false } },
    changes: {
      'a port': {
        patch: { spec: { peerPort: 180, nodeSelectors: [{ matchLabels: { a: 'b' } }] } },
        stored: {
          spec: {
            myASN: 64512,
            peerAddress: '10.0.0.1',
            peerPort: 180,
            disableMP: false,
            nodeSelectors: [{ matchLabels: { a: 'b' } }],
          },
        },
      },
    },
    refusals: {
      'what stays as it is': {
        patch: { spec: { disableMP: true } },
        causes: ['spec.disableMP: Invalid value: true: this stays as it is'],
      },
      'a port that is none': {
        patch: { spec: { peerPort: 0 } },
        causes: ['spec.peerPort: Invalid value: 0: spec.peerPort in body should be greater than or equal to 1'],
      },
    },
    further: {
      'lacks in one version what only the other one knows': async (use) => {
        const old = { myASN: 1, peerASN: 4294967295, peerAddress: '10.0.0.2', password: 'p', keepaliveTime: '1s' };
        const created = await use.create('old', { spec: old }, 'v1beta1');
        expect(created.status, JSON.stringify(created.json)).toBe(201);
        expect(created.warnings).toEqual(['v1beta1 of the peers is deprecated, use v1beta2']);
        const { password: _, keepaliveTime: __, ...both } = old;
        expect(created.json.spec).toEqual(both);
        const path = `${use.objects()}/old`;
        expect((await use.get(path)).json.spec).toEqual({ ...both, peerPort: 179, disableMP: false });
        // A write in the newer version takes away what it does not know.
        expect((await use.patch(path, { spec: { peerASN: 2 } })).status).toBe(200);
        expect((await use.get(`${use.objects('v1beta1')}/old`)).json.spec).toEqual({ ...both, peerASN: 2 });
      },
    },
  },
];
