import { expect } from 'vitest';
import { unchecked, type Trial } from '../trial.js';

const writer = { name: 'a', served: true, referenceable: true };
const composite = { group: 'example.org', names: { kind: 'XShop', plural: 'xshops' }, versions: [writer] };
const composed = { ...composite, defaultCompositeDeletePolicy: 'Background' };
const reference = { name: 'a', namespace: 'b' };

/** Definitions of the cluster, in no namespace. */
export const clusterServiceTrials: readonly Trial[] = [
  {
    plural: 'compositeresourcedefinitions',
    shape: 'of the cluster, the deprecated version is stored, defaults differ by version',
    object: { spec: { ...composite } },
    stored: { spec: { ...composed, scope: 'LegacyCluster' } },
    warnings: ['v1 of these definitions goes away, use v2'],
    changes: {
      'a schema in the object': {
        patch: {
          spec: {
            versions: [
              { ...writer, schema: { openAPIV3Schema: { type: 'object', 'x-a': [{ default: null }] }, b: 1 } },
            ],
          },
        },
        stored: {
          spec: {
            ...composed,
            scope: 'LegacyCluster',
            versions: [{ ...writer, schema: { openAPIV3Schema: { type: 'object', 'x-a': [{}] } } }],
          },
        },
      },
    },
    refusals: {
      'what stays as it is': {
        patch: { spec: { group: 'other.org', scope: 'Cluster' } },
        causes: [
          'spec.group: Invalid value: "other.org": a group stays as it is',
          'spec.scope: Invalid value: "Cluster": a scope stays as it is',
        ],
      },
      'a plural with a capital': {
        object: { spec: { ...composite, names: { kind: 'XShop', plural: 'xShops' } } },
        causes: ['spec.names: Invalid value: a plural has small letters'],
      },
      'a version that is not complete': {
        patch: { spec: { versions: [{ name: '' }] } },
        causes: [
          unchecked,
          'spec.versions[0].name: Invalid value: "": spec.versions[0].name in body should be at least 1 chars long',
          'spec.versions[0].referenceable: Required value',
          'spec.versions[0].served: Required value',
        ],
      },
    },
    further: {
      'has the defaults of the version that it is written in': async (use) => {
        const created = await use.create('newer', { spec: { ...composite } }, 'v2');
        expect(created.status).toBe(201);
        expect(created.warnings).toEqual([]);
        expect(created.json.spec.scope).toBe('Namespaced');
        expect((await use.get(`${use.objects()}/newer`)).json.spec.scope).toBe('Namespaced');
      },
      'is in no namespace': async (use) => {
        const answer = await use.call('POST', use.objects(), {
          ...use.object('nowhere', { spec: { ...composite } }),
          metadata: { name: 'nowhere', namespace: 'default' },
        });
        expect(answer.status).toBe(201);
        expect(answer.json.metadata.namespace).toBeUndefined();
        expect((await use.get(use.objects().replace('/v1/', '/v1/namespaces/default/'))).status).toBe(404);
      },
    },
  },
  {
    plural: 'clusterpolicies',
    shape: 'of the cluster, many open parts, ten columns',
    object: {
      spec: {
        rules: [
          {
            name: 'labels',
            match: { any: [{ resources: { kinds: ['Pod'] } }] },
            preconditions: { all: [{ key: '{{a}}', operator: 'Equals', value: null }] },
            validate: { message: 'm', pattern: { metadata: { labels: { 'a/b': '?*' } } } },
          },
          { name: 'mutate', match: {}, mutate: { patchStrategicMerge: [{ '+(a)': 1 }] }, context: [{ a: { b: 1 } }] },
        ],
      },
    },
    stored: {
      spec: {
        background: true,
        emitWarning: false,
        validationFailureAction: 'Audit',
        rules: [
          {
            name: 'labels',
            match: { any: [{ resources: { kinds: ['Pod'] } }] },
            preconditions: { all: [{ key: '{{a}}', operator: 'Equals', value: null }] },
            validate: { message: 'm', pattern: { metadata: { labels: { 'a/b': '?*' } } } },
          },
          { name: 'mutate', match: {}, mutate: { patchStrategicMerge: [{ '+(a)': 1 }] }, context: [{ a: { b: 1 } }] },
        ],
      },
    },
    changes: {
      'open parts of any type': {
        patch: {
          spec: {
            background: false,
            rules: [{ name: 'a', match: {}, preconditions: 'x', validate: { anyPattern: 5 } }],
          },
        },
        stored: {
          spec: {
            background: false,
            emitWarning: false,
            validationFailureAction: 'Audit',
            rules: [{ name: 'a', match: {}, preconditions: 'x', validate: { anyPattern: 5 } }],
          },
        },
      },
    },
    refusals: {
      'any and all': {
        patch: { spec: { rules: [{ name: 'a', match: { any: [], all: [] } }] } },
        causes: ['<nil>: Invalid value: "": "spec.rules[0].match" must not validate the schema (not)'],
      },
      'an action that there is not, a rule for nothing': {
        patch: { spec: { validationFailureAction: 'warn', rules: [{ name: 'a'.repeat(64) }] } },
        causes: [
          'spec.rules[0].match: Required value',
          'spec.rules[0].name: Too long: may not be more than 63 bytes',
          'spec.validationFailureAction: Unsupported value: "warn": supported values: "audit", "enforce", "Audit", "Enforce"',
        ],
      },
    },
    further: {
      'is shown in ten columns and its name': async (use) => {
        const { json } = await use.get(use.objects(), 'application/json;as=Table;v=v1;g=meta.k8s.io');
        expect((json.columnDefinitions as { name: string }[]).map(({ name }) => name)).toEqual([
          'Name',
          'ADMISSION',
          'BACKGROUND',
          'READY',
          'AGE',
          'FAILURE POLICY',
          'VALIDATE',
          'MUTATE',
          'GENERATE',
          'VERIFY IMAGES',
          'MESSAGE',
        ]);
      },
    },
  },
  {
    plural: 'volumesnapshotclasses',
    shape: 'of the cluster, fields at the top, a version that is not served',
    object: { driver: 'hostpath', deletionPolicy: 'Delete', parameters: { a: 'b' }, spec: {} },
    stored: { driver: 'hostpath', deletionPolicy: 'Delete', parameters: { a: 'b' } },
    warnings: ['unknown field "spec"'],
    changes: {
      'a field at the top': {
        patch: { deletionPolicy: 'Retain', parameters: { a: null, c: 'd' } },
        stored: { driver: 'hostpath', deletionPolicy: 'Retain', parameters: { c: 'd' } },
      },
    },
    refusals: {
      'another driver': {
        patch: { driver: 'other' },
        causes: ['driver: Invalid value: "other": a driver stays as it is'],
      },
      'nothing in it': {
        object: {},
        causes: [unchecked, 'deletionPolicy: Required value', 'driver: Required value'],
      },
      'a policy that there is not, a parameter that is a number': {
        patch: { deletionPolicy: 'Keep', parameters: { a: 1 } },
        causes: [
          unchecked,
          'deletionPolicy: Unsupported value: "Keep": supported values: "Delete", "Retain"',
          'parameters.a: Invalid value: "integer": parameters.a in body must be of type string: "integer"',
        ],
      },
    },
  },
  {
    plural: 'volumesnapshotcontents',
    shape: 'of the cluster, what is set stays set',
    object: {
      spec: { deletionPolicy: 'Delete', driver: 'd', source: { volumeHandle: 'v' }, volumeSnapshotRef: reference },
    },
    stored: {
      spec: { deletionPolicy: 'Delete', driver: 'd', source: { volumeHandle: 'v' }, volumeSnapshotRef: reference },
    },
    changes: {
      'what may change': {
        patch: {
          spec: { deletionPolicy: 'Retain', sourceVolumeMode: 'Block', volumeSnapshotRef: { resourceVersion: '5' } },
        },
        stored: {
          spec: {
            deletionPolicy: 'Retain',
            driver: 'd',
            sourceVolumeMode: 'Block',
            source: { volumeHandle: 'v' },
            volumeSnapshotRef: { ...reference, resourceVersion: '5' },
          },
        },
      },
    },
    refusals: {
      'another volume': {
        patch: { spec: { source: { volumeHandle: 'w' } } },
        causes: ['spec.source.volumeHandle: Invalid value: "w": a volume stays as it is'],
      },
      'the volume taken away': {
        patch: { spec: { source: { volumeHandle: null, snapshotHandle: 's' } } },
        causes: ['spec.source: Invalid value: a volume that is set stays set'],
      },
      'no source, no namespace': {
        object: { spec: { deletionPolicy: 'Delete', driver: 'd', source: {}, volumeSnapshotRef: { name: 'a' } } },
        causes: [
          'spec.source: Invalid value: either a volume or a snapshot',
          'spec.volumeSnapshotRef: Invalid value: a reference has a name and a namespace',
        ],
      },
    },
    further: {
      'is there until its finalizer is taken away': async (use) => {
        const path = await use.given('held', {
          spec: {
            deletionPolicy: 'Delete',
            driver: 'd',
            source: { snapshotHandle: 's' },
            volumeSnapshotRef: reference,
          },
        });
        await use.patch(path, { metadata: { finalizers: ['example.com/held'] } });
        expect((await use.call('DELETE', path)).status).toBe(200);
        const status = await use.patch(`${path}/status`, {
          status: { readyToUse: true, restoreSize: 9007199254740991 },
        });
        expect(status.json.status).toEqual({ readyToUse: true, restoreSize: 9007199254740991 });
        expect(status.json.metadata.deletionTimestamp).toBeDefined();
        await use.patch(path, { metadata: { finalizers: null } });
        expect((await use.get(path)).status).toBe(404);
      },
    },
  },
];
