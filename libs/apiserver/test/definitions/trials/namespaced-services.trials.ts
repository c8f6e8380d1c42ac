import { expect } from 'vitest';
import { causesOf } from '../definition-use.js';
import { unchecked, type Trial } from '../trial.js';

/** Definitions of software that serves others from within their namespaces. */
export const namespacedServiceTrials: readonly Trial[] = [
  {
    plural: 'certificates',
    shape: 'typed lists, and fields that are selected by',
    object: {
      spec: {
        secretName: 'tls',
        dnsNames: ['example.com', 'example.com'],
        usages: ['server auth'],
        issuerRef: { name: 'ca', kind: 'Issuer' },
        privateKey: { algorithm: 'RSA', size: 2048 },
      },
    },
    stored: {
      spec: {
        secretName: 'tls',
        dnsNames: ['example.com', 'example.com'],
        usages: ['server auth'],
        issuerRef: { name: 'ca', kind: 'Issuer' },
        privateKey: { algorithm: 'RSA', size: 2048 },
      },
    },
    changes: {
      'an item, a scalar, and a field to nothing': {
        patch: { spec: { dnsNames: ['a.example.com'], privateKey: { algorithm: 'ECDSA', size: null }, usages: [] } },
        stored: {
          spec: {
            secretName: 'tls',
            dnsNames: ['a.example.com'],
            usages: [],
            issuerRef: { name: 'ca', kind: 'Issuer' },
            privateKey: { algorithm: 'ECDSA' },
          },
        },
      },
      nothing: {
        patch: { spec: { secretName: 'tls' } },
        again: false,
        stored: {
          spec: {
            secretName: 'tls',
            dnsNames: ['example.com', 'example.com'],
            usages: ['server auth'],
            issuerRef: { name: 'ca', kind: 'Issuer' },
            privateKey: { algorithm: 'RSA', size: 2048 },
          },
        },
      },
    },
    refusals: {
      'values that there are not': {
        patch: { spec: { usages: ['any'], privateKey: { algorithm: 'DSA', rotationPolicy: '' } } },
        causes: [
          'spec.privateKey.algorithm: Unsupported value: "DSA": supported values: "RSA", "ECDSA", "Ed25519"',
          'spec.privateKey.rotationPolicy: Unsupported value: "": supported values: "Never", "Always"',
          'spec.usages[0]: Unsupported value: "any": supported values: "digital signature", "server auth", "client auth"',
        ],
      },
      'what is required': {
        patch: { spec: { issuerRef: { name: null }, keystores: { pkcs12: { passwordSecretRef: {} } } } },
        causes: [
          'spec.issuerRef.name: Required value',
          'spec.keystores.pkcs12.create: Required value',
          'spec.keystores.pkcs12.passwordSecretRef.name: Required value',
        ],
      },
      'wrong types': {
        patch: { spec: { isCA: 'yes', revisionHistoryLimit: 1.5, dnsNames: 'example.com' } },
        causes: [
          '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.revisionHistoryLimit',
          'spec.dnsNames: Invalid value: "string": spec.dnsNames in body must be of type array: "string"',
          'spec.isCA: Invalid value: "string": spec.isCA in body must be of type boolean: "string"',
          'spec.revisionHistoryLimit: Invalid value: "float64": spec.revisionHistoryLimit in body must be of type int32: "float64"',
        ],
      },
    },
    further: {
      'is selected by fields of its specification': async (use) => {
        const spec = { secretName: 's' };
        await use.given('select-a', { spec: { ...spec, issuerRef: { name: 'one', kind: 'Issuer' } } });
        await use.given('select-b', { spec: { ...spec, issuerRef: { name: 'one', kind: 'ClusterIssuer' } } });
        const names = async (selector: string): Promise<unknown> => {
          const { json } = await use.get(`${use.objects()}?fieldSelector=${encodeURIComponent(selector)}`);
          return (json.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
        };
        expect(await names('spec.issuerRef.name=one')).toEqual(['select-a', 'select-b']);
        expect(await names('spec.issuerRef.name=one,spec.issuerRef.kind!=Issuer')).toEqual(['select-b']);
        expect(await names('spec.issuerRef.name=one,metadata.name=select-a')).toEqual(['select-a']);
        const refused = await use.get(`${use.objects()}?fieldSelector=spec.secretName%3Ds`);
        expect(refused.status).toBe(400);
        expect(refused.json.message).toBe('field label not supported: spec.secretName');
      },
      'has conditions, each once': async (use) => {
        const path = await use.given('conditions', { spec: { secretName: 's', issuerRef: { name: 'a' } } });
        const ready = { type: 'Ready', status: 'True' };
        const answer = await use.patch(`${path}/status`, { status: { conditions: [ready, ready] } });
        expect(answer.json.details.causes).toEqual([
          {
            reason: 'FieldValueDuplicate',
            message: 'Duplicate value: {"type":"Ready"}',
            field: 'status.conditions[1]',
          },
        ]);
      },
    },
  },
  {
    plural: 'prometheuses',
    shape: 'status and scale, quantities, atomic maps',
    object: {
      spec: {
        replicas: 2,
        resources: { requests: { memory: '400Mi', cpu: 1 } },
        podMonitorSelector: { matchLabels: { a: 'b' } },
        arbitraryFSAccessThroughSMs: {},
        remoteWrite: [{ url: 'http://a', basicAuth: {} }],
      },
    },
    stored: {
      spec: {
        replicas: 2,
        portName: 'web',
        evaluationInterval: '30s',
        scrapeInterval: '30s',
        resources: { requests: { memory: '400Mi', cpu: 1 } },
        podMonitorSelector: { matchLabels: { a: 'b' } },
        arbitraryFSAccessThroughSMs: {},
        remoteWrite: [{ url: 'http://a', basicAuth: {} }],
      },
    },
    changes: {
      'an integer to a text, a default to another value': {
        patch: {
          spec: {
            resources: { requests: { cpu: '1500m', memory: null } },
            portName: 'http',
            scrapeInterval: '1m30s',
            podMonitorSelector: {},
            remoteWrite: null,
          },
        },
        stored: {
          spec: {
            replicas: 2,
            portName: 'http',
            evaluationInterval: '30s',
            scrapeInterval: '1m30s',
            resources: { requests: { cpu: '1500m' } },
            podMonitorSelector: { matchLabels: { a: 'b' } },
            arbitraryFSAccessThroughSMs: {},
          },
        },
      },
    },
    refusals: {
      'two ways to sign in': {
        patch: { spec: { remoteWrite: [{ url: 'http://a', basicAuth: {}, sigv4: {} }] } },
        causes: ['spec.remoteWrite[0]: Invalid value: at most one way to sign in'],
      },
      'no quantities, no interval, no size': {
        patch: {
          spec: { resources: { limits: { cpu: 'much', memory: true } }, evaluationInterval: '1d', retentionSize: '5' },
        },
        causes: [
          '<nil>: Invalid value: "": "spec.resources.limits.memory" must validate at least one schema (anyOf)',
          unchecked,
          `spec.evaluationInterval: Invalid value: "1d": spec.evaluationInterval in body should match '^(0|(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$'`,
          `spec.resources.limits.cpu: Invalid value: "much": spec.resources.limits.cpu in body should match '^[+-]?[0-9.]+([KMGTPE]i?|[mukn])?$'`,
          'spec.resources.limits.memory: Invalid value: "boolean": spec.resources.limits.memory in body must be of type integer,string: "boolean"',
          'spec.resources.limits.memory: Invalid value: "boolean": spec.resources.limits.memory in body must be of type integer: "boolean"',
          `spec.retentionSize: Invalid value: "5": spec.retentionSize in body should match '(^0|([0-9]*[.])?[0-9]+((K|M|G|T|E|P)i?)?B)$'`,
        ],
      },
      'an address twice, and one without names': {
        patch: { spec: { hostAliases: [{ ip: '1', hostnames: ['a'] }, { ip: '1', hostnames: [] }, { ip: '2' }] } },
        causes: [
          unchecked,
          'spec.hostAliases[1]: Duplicate value: {"ip":"1"}',
          'spec.hostAliases[2].hostnames: Required value',
        ],
      },
      'no specification': {
        object: {},
        causes: [unchecked, 'spec: Required value'],
      },
    },
    further: {
      'is scaled by its shards': async (use) => {
        const path = await use.given('scaled', { spec: {} });
        expect((await use.get(`${path}/scale`)).json.spec).toBeUndefined();
        expect((await use.patch(`${path}/scale`, { spec: { replicas: 3 } })).status).toBe(200);
        expect((await use.get(path)).json.spec.shards).toBe(3);
        const status = { availableReplicas: 1, paused: false, replicas: 3, shards: 3, selector: 'app=prometheus' };
        expect((await use.patch(`${path}/status`, { status })).status).toBe(200);
        expect((await use.get(`${path}/scale`)).json.status).toEqual({ replicas: 3, selector: 'app=prometheus' });
        const incomplete = await use.patch(`${path}/status`, { status: { paused: null } });
        expect(causesOf(incomplete)).toEqual([unchecked, 'status.paused: Required value']);
      },
    },
  },
  {
    plural: 'prometheusrules',
    shape: 'keyed lists, texts with quotes and line breaks',
    object: {
      spec: {
        groups: [
          {
            name: 'node',
            interval: '1m',
            rules: [
              {
                alert: 'Down',
                expr: 'up{job="a"} == 0\nunless on(x) "y"',
                for: '5m',
                annotations: { text: "it's {{ $v }}" },
              },
              { record: 'a:b', expr: 1 },
            ],
          },
          { name: 'empty' },
        ],
      },
    },
    stored: {
      spec: {
        groups: [
          {
            name: 'node',
            interval: '1m',
            rules: [
              {
                alert: 'Down',
                expr: 'up{job="a"} == 0\nunless on(x) "y"',
                for: '5m',
                annotations: { text: "it's {{ $v }}" },
              },
              { record: 'a:b', expr: 1 },
            ],
          },
          { name: 'empty' },
        ],
      },
    },
    changes: {
      'the groups': {
        patch: {
          spec: { groups: [{ name: 'node', rules: [{ record: 'a:b', expr: 'vector(1)' }], query_offset: '1m' }] },
        },
        stored: { spec: { groups: [{ name: 'node', rules: [{ record: 'a:b', expr: 'vector(1)' }] }] } },
      },
    },
    refusals: {
      'a group twice, and one without a name': {
        patch: { spec: { groups: [{ name: 'a' }, { name: 'a' }, { interval: '1m' }, { name: '' }] } },
        causes: [
          'spec.groups[1]: Duplicate value: {"name":"a"}',
          'spec.groups[2].name: Required value',
          'spec.groups[3].name: Invalid value: "": spec.groups[3].name in body should be at least 1 chars long',
        ],
      },
      'a rule that is wrong in all': {
        patch: {
          spec: { groups: [{ name: 'a', rules: [{ alert: 5, for: 'ever', labels: { a: 1 }, expr: true }, {}] }] },
        },
        causes: [
          '<nil>: Invalid value: "": "spec.groups[0].rules[0].expr" must validate at least one schema (anyOf)',
          'spec.groups[0].rules[0].alert: Invalid value: "integer": spec.groups[0].rules[0].alert in body must be of type string: "integer"',
          'spec.groups[0].rules[0].expr: Invalid value: "boolean": spec.groups[0].rules[0].expr in body must be of type integer,string: "boolean"',
          'spec.groups[0].rules[0].expr: Invalid value: "boolean": spec.groups[0].rules[0].expr in body must be of type integer: "boolean"',
          `spec.groups[0].rules[0].for: Invalid value: "ever": spec.groups[0].rules[0].for in body should match '^(0|(([0-9]+)m)?(([0-9]+)s)?)$'`,
          'spec.groups[0].rules[0].labels.a: Invalid value: "integer": spec.groups[0].rules[0].labels.a in body must be of type string: "integer"',
          'spec.groups[0].rules[1].expr: Required value',
        ],
      },
    },
    further: {
      'has no status': async (use) => {
        const path = await use.given('stateless', { spec: {}, status: { a: 1 } });
        const { json } = await use.get(path);
        expect(json.status).toBeUndefined();
        expect((await use.get(`${path}/status`)).status).toBe(404);
      },
    },
  },
];
