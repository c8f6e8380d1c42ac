import { configMap, configMaps, widget, widgetDefinition, widgets } from '../support/fixtures.js';
import type { Dice } from './dice.js';

export interface Sample {
  /** Path of the collection. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const core = '/api/v1/namespaces/default';
const rbac = 'rbac.authorization.k8s.io/v1';
const container = {
  name: 'c',
  image: 'i:1',
  ports: [{ containerPort: 80, protocol: 'TCP' }],
  env: [{ name: 'A', value: 'b' }],
};
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [container], volumes: [{ name: 'v', emptyDir: {} }], tolerations: [{ operator: 'Exists' }] },
};

/** A whole object of each kind that clients write most. */
export const samples: readonly Sample[] = [
  {
    path: widgets,
    body: widget('a', { spec: { any: { a: 1 }, list: ['a'], map: { a: 1 }, keyed: [{ k: 'x', v: 1 }] } }),
  },
  { path: configMaps, body: configMap('a', { a: '1' }, { labels: { a: 'b' }, finalizers: ['x.example/a'] }) },
  {
    path: `${core}/secrets`,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      type: 'Opaque',
      data: { a: 'YQ==' },
      stringData: { b: 'c' },
    },
  },
  { path: `${core}/pods`, body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: template.spec } },
  {
    path: `${core}/services`,
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { clusterIP: 'None', selector: { a: 'b' }, ports: [{ name: 'p', port: 80, targetPort: 'http' }] },
    },
  },
  {
    path: `${core}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ name: 's' }] },
  },
  {
    path: `${core}/events`,
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a' },
      involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' },
      reason: 'R',
      type: 'Normal',
      count: 1,
    },
  },
  {
    path: '/apis/events.k8s.io/v1/namespaces/default/events',
    body: {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'b' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      regarding: { kind: 'Pod', name: 'a', namespace: 'default' },
      reason: 'R',
      type: 'Normal',
      action: 'A',
      reportingController: 'c',
      reportingInstance: 'i',
    },
  },
  {
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' }, spec: { finalizers: ['kubernetes'] } },
  },
  {
    path: '/api/v1/nodes',
    body: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] },
    },
  },
  {
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template },
    },
  },
  {
    path: '/apis/batch/v1/namespaces/default/jobs',
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    },
  },
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
      spec: { holderIdentity: 'h', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
    },
  },
  {
    path: `/apis/${rbac}/clusterroles`,
    body: {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
  },
  {
    path: `/apis/${rbac}/namespaces/default/rolebindings`,
    body: {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  },
  {
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    },
  },
  {
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'u', groups: ['g'], nonResourceAttributes: { path: '/x', verb: 'get' } },
    },
  },
  {
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 't', audiences: ['a'] } },
  },
  {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    body: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'a' },
      spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: 'b' } } }] }] },
    },
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'fuzz.example' },
      webhooks: [
        {
          name: 'a.fuzz.example',
          clientConfig: { url: 'https://127.0.0.1:1/x', caBundle: 'Cg==' },
          rules: [{ apiGroups: ['none.example'], apiVersions: ['v1'], resources: ['nothing'], operations: ['CREATE'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          failurePolicy: 'Ignore',
          matchConditions: [{ name: 'x', expression: 'true' }],
        },
      ],
    },
  },
  { path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: widgetDefinition },
];

/** The body of an object, spoilt in one way or another; rarely whole. */
export function bodyOf(dice: Dice, sample: Sample): string {
  const object = dice.chance(0.15) ? sample.body : dice.mutated(sample.body, dice.pick([0.02, 0.05, 0.15]));
  const text = JSON.stringify(object);
  return dice.chance(0.15) ? dice.damaged(text) : text;
}

/** Any body at all. */
export function anyBody(dice: Dice): string {
  const bodies: (() => unknown)[] = [
    () => dice.mutated(dice.pick(samples).body),
    () => ({ metadata: dice.value(), spec: dice.value(), status: dice.value() }),
    () => ({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions: dice.value(), dryRun: dice.value() }),
    () => dice.value(4),
  ];
  const text = JSON.stringify(dice.pick(bodies)());
  return dice.chance(0.35) ? dice.damaged(text) : text;
}
