import type { AccessRule } from '../engine/access/access-rule.js';
import { roleRules } from '../engine/access/policy-rule.js';

/** How an operator is to run in a cluster. */
export interface OperatorManifestsOptions {
  /** Name of all objects, and the label `app.kubernetes.io/name`. */
  readonly name: string;
  /** Where it runs. */
  readonly namespace: string;
  readonly image: string;
  /** @defaultValue the image's own */
  readonly command?: readonly string[];
  /** More than one need leader election. @defaultValue 2 */
  readonly replicas?: number;
  /** The option `health.port`. @defaultValue 8081 */
  readonly healthPort?: number;
  /** Environment of the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** @defaultValue requests of 50m and 96Mi, a limit of 256Mi */
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

/** An object to be applied, such as by `kubectl apply`. */
export interface OperatorManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

const rbac = 'rbac.authorization.k8s.io';

/**
 * What an operator needs to run in a cluster: its account, the rights that follow from its handlers and nothing else (`access`
 * of `OperatorRef.describe()`), the Deployment with probes, and a budget for disruptions where there are several replicas.
 * Pure: the same input makes the same manifests, in an order in which they can be applied. Definitions are not among them.
 */
export function operatorManifests(
  access: readonly AccessRule[],
  options: OperatorManifestsOptions,
): readonly OperatorManifest[] {
  const { name, namespace, replicas = 2 } = options;
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = { name, namespace, labels };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...roleRules(access).flatMap(({ namespace: within, rules }) => roleManifests(rules, within, options)),
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deploymentSpec(labels, options) },
    ...(replicas < 2
      ? []
      : [
          {
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata,
            spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
          },
        ]),
  ];
}

function roleManifests(
  rules: readonly unknown[],
  within: string | undefined,
  { name, namespace }: OperatorManifestsOptions,
): OperatorManifest[] {
  const labels = { 'app.kubernetes.io/name': name };
  const kind = within === undefined ? 'ClusterRole' : 'Role';
  const metadata = { name, ...(within === undefined ? {} : { namespace: within }), labels };
  return [
    { apiVersion: `${rbac}/v1`, kind, metadata, rules },
    {
      apiVersion: `${rbac}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: rbac, kind, name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ];
}

function deploymentSpec(labels: Readonly<Record<string, string>>, options: OperatorManifestsOptions): object {
  const { name, image, command, replicas = 2, healthPort = 8081, env = {} } = options;
  const resources = options.resources ?? { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } };
  const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  return {
    replicas,
    // A standby is there before the leader goes. Alone, two would work at the same time.
    strategy:
      replicas < 2
        ? { type: 'Recreate' }
        : { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        // Above `shutdown.deadline`.
        terminationGracePeriodSeconds: 30,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: 'operator',
            image,
            ...(command === undefined ? {} : { command }),
            ...(variables.length === 0 ? {} : { env: variables }),
            ports: [{ name: 'health', containerPort: healthPort }],
            livenessProbe: { httpGet: { path: '/livez', port: 'health' }, periodSeconds: 10, failureThreshold: 3 },
            readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5 },
            // Until the first answer: the start itself may take its time.
            startupProbe: { httpGet: { path: '/livez', port: 'health' }, periodSeconds: 2, failureThreshold: 60 },
            resources,
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      },
    },
  };
}
