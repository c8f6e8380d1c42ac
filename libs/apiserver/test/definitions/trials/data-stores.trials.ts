import { expect } from 'vitest';
import { causesOf } from '../definition-use.js';
import { scales } from '../scales.js';
import type { Trial } from '../trial.js';

const listener = { name: 'plain', port: 9092, type: 'internal', tls: false };

/** Definitions of software that keeps data. */
export const dataStoreTrials: readonly Trial[] = [
  {
    plural: 'kafkas',
    shape: 'free maps, deep paths, alternatives by the value of a field',
    object: {
      spec: {
        kafka: {
          listeners: [listener],
          config: { 'auto.create.topics.enable': false, 'num.partitions': 3, 'log.dirs': null },
          metricsConfig: { type: 'jmxPrometheusExporter', valueFrom: { key: 'a' } },
          resources: { limits: { memory: '1Gi', cpu: 2 } },
        },
      },
    },
    stored: {
      spec: {
        kafka: {
          listeners: [listener],
          config: { 'auto.create.topics.enable': false, 'num.partitions': 3, 'log.dirs': null },
          metricsConfig: { type: 'jmxPrometheusExporter', valueFrom: { key: 'a' } },
          resources: { limits: { memory: '1Gi', cpu: 2 } },
        },
      },
    },
    changes: {
      'keys with dots, an integer to a text, what is very deep': {
        patch: {
          spec: {
            kafka: {
              config: { 'num.partitions': null, 'log.dirs': ['a'], 'x.y': { 'z.z': 1 } },
              metricsConfig: null,
              resources: { limits: { cpu: '2500m' } },
              template: {
                pod: {
                  metadata: { annotations: { 'example.com/a.b': 'c' } },
                  affinity: {
                    podAntiAffinity: {
                      required: [
                        { labelSelector: { matchExpressions: [{ key: 'a', values: ['b'], operator: 'In' }] } },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
        stored: {
          spec: {
            kafka: {
              listeners: [listener],
              config: { 'auto.create.topics.enable': false, 'log.dirs': ['a'], 'x.y': { 'z.z': 1 } },
              resources: { limits: { memory: '1Gi', cpu: '2500m' } },
              template: {
                pod: {
                  metadata: { annotations: { 'example.com/a.b': 'c' } },
                  affinity: {
                    podAntiAffinity: {
                      required: [{ labelSelector: { matchExpressions: [{ key: 'a', values: ['b'] }] } }],
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
    refusals: {
      'no listeners': {
        patch: { spec: { kafka: { listeners: [] } } },
        causes: ['spec.kafka.listeners: Invalid value: 0: spec.kafka.listeners in body should have at least 1 items'],
      },
      'a listener that is wrong in all': {
        patch: { spec: { kafka: { listeners: [{ name: 'Too_Long_A_Name', port: 80, type: 'none' }] } } },
        causes: [
          `spec.kafka.listeners[0].name: Invalid value: "Too_Long_A_Name": spec.kafka.listeners[0].name in body should match '^[a-z0-9]{1,11}$'`,
          'spec.kafka.listeners[0].port: Invalid value: 80: spec.kafka.listeners[0].port in body should be greater than or equal to 9092',
          'spec.kafka.listeners[0].tls: Required value',
          'spec.kafka.listeners[0].type: Unsupported value: "none": supported values: "internal", "route", "loadbalancer", "nodeport"',
        ],
      },
      'the values of another type': {
        patch: { spec: { kafka: { metricsConfig: { type: 'strimziMetricsReporter' } } } },
        causes: [
          '<nil>: Invalid value: "": "spec.kafka.metricsConfig" must validate one and only one schema (oneOf). Found none valid',
          'spec.kafka.metricsConfig.type: Unsupported value: "strimziMetricsReporter": supported values: "jmxPrometheusExporter"',
        ],
      },
      'what is very deep': {
        patch: {
          spec: {
            kafka: {
              template: {
                pod: {
                  affinity: {
                    podAntiAffinity: { required: [{ labelSelector: { matchExpressions: [{ values: ['a', 1] }] } }] },
                  },
                },
              },
            },
          },
        },
        causes: [
          'spec.kafka.template.pod.affinity.podAntiAffinity.required[0].labelSelector.matchExpressions[0].values[1]: Invalid value: "integer": spec.kafka.template.pod.affinity.podAntiAffinity.required[0].labelSelector.matchExpressions[0].values[1] in body must be of type string: "integer"',
        ],
      },
    },
    further: {
      'keeps a status with open parts': async (use) => {
        const path = await use.given('status', { spec: { kafka: { listeners: [listener] } } });
        const status = { observedGeneration: 1, clusterId: 'x', listeners: [{ addresses: [{ port: 1 }] }] };
        const answer = await use.patch(`${path}/status`, { status });
        expect(answer.json.status).toEqual(status);
        const refused = await use.patch(`${path}/status`, { status: { observedGeneration: '1' } });
        expect(refused.status).toBe(422);
        expect(causesOf(refused)).toEqual([
          'status.observedGeneration: Invalid value: "string": observedGeneration in body must be of type integer: "string"',
        ]);
      },
      'is not checked in the version that is open': async (use) => {
        const answer = await use.create('open', { spec: { zookeeper: { replicas: 3 } } }, 'v1beta2');
        expect(answer.status).toBe(201);
        expect(answer.warnings).toEqual([
          'kafka.strimzi.io/v1beta2 Kafka is deprecated; use kafka.strimzi.io/v1 Kafka',
        ]);
        expect((await use.get(`${use.objects()}/open`)).json.spec).toEqual({});
      },
    },
  },
  {
    plural: 'elasticsearches',
    shape: 'an old version that is served, one that is not',
    object: {
      spec: {
        version: '9.0.0',
        nodeSets: [{ name: 'default', count: 1, config: { 'node.roles': ['master'], 'node.store.allow_mmap': false } }],
      },
    },
    stored: {
      spec: {
        version: '9.0.0',
        nodeSets: [{ name: 'default', count: 1, config: { 'node.roles': ['master'], 'node.store.allow_mmap': false } }],
      },
    },
    changes: {
      'another set': {
        patch: { spec: { nodeSets: [{ name: 'a' }, { name: 'b', podTemplate: { spec: { containers: [] } } }] } },
        stored: {
          spec: {
            version: '9.0.0',
            nodeSets: [{ name: 'a' }, { name: 'b', podTemplate: { spec: { containers: [] } } }],
          },
        },
      },
    },
    refusals: {
      'names that are too long, and wrong': {
        patch: { spec: { nodeSets: [{ name: 'a'.repeat(24) }, { name: 'a_b' }] } },
        causes: [
          'spec.nodeSets[0].name: Too long: may not be more than 23 bytes',
          `spec.nodeSets[1].name: Invalid value: "a_b": spec.nodeSets[1].name in body should match '^[a-zA-Z0-9-]+$'`,
        ],
      },
      'a count that does not fit': {
        patch: {
          spec: {
            nodeSets: [
              { name: 'a', count: 2147483648 },
              { name: 'b', count: '1' },
            ],
          },
        },
        causes: [
          '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.nodeSets[0].count',
          'spec.nodeSets[1].count: Invalid value: "string": spec.nodeSets[1].count in body must be of type integer: "string"',
        ],
      },
      'no sets': {
        patch: { spec: { nodeSets: [] } },
        causes: ['spec.nodeSets: Invalid value: 0: spec.nodeSets in body should have at least 1 items'],
      },
    },
  },
  {
    plural: 'kibanas',
    shape: 'a scale, old versions that are not served',
    object: { spec: { version: '9.0.0', count: 1, config: { 'a.b': null } } },
    stored: { spec: { version: '9.0.0', count: 1, config: { 'a.b': null } } },
    changes: {
      'the configuration': {
        patch: { spec: { config: { c: [{}] } } },
        stored: { spec: { version: '9.0.0', count: 1, config: { 'a.b': null, c: [{}] } } },
      },
    },
    refusals: { 'no version': { object: { spec: { count: 1 } }, causes: ['spec.version: Required value'] } },
    further: {
      'is scaled': async (use) => {
        await scales(use, { version: '9.0.0', count: 1 }, 'count', true);
      },
    },
  },
];
