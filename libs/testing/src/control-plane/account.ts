import type { ApiRequester } from './api-requester.js';
import { ControlPlaneError } from './control-plane-error.js';
import type { KubeconfigObject } from './kubeconfig.js';
import { pollUntil, type Deadline } from './wait.js';

/** One rule of a Role or ClusterRole, as RBAC writes it. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  /** Only in `clusterRules`. */
  readonly nonResourceURLs?: readonly string[];
}

/** What {@link ControlPlane.account} creates. */
export interface AccountRequest {
  /** Name of the ServiceAccount and of its role and bindings. */
  readonly name: string;
  /** Created when absent. @defaultValue 'default' */
  readonly namespace?: string;
  /** Rights in the account's own namespace. */
  readonly rules?: readonly PolicyRule[];
  /** Rights in all namespaces and on cluster-scoped resources. */
  readonly clusterRules?: readonly PolicyRule[];
}

/** A ServiceAccount with a token that is good for a day. */
export interface ControlPlaneAccount {
  readonly name: string;
  readonly namespace: string;
  /** The name that the server knows it by: `system:serviceaccount:<namespace>:<name>`. */
  readonly username: string;
  readonly token: string;
  readonly kubeConfig: KubeconfigObject;
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const TOKEN_SECONDS = 86_400;

interface AccountContext {
  readonly admin: ApiRequester;
  /** Requests with the given token. */
  readonly as: (token: string) => ApiRequester;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
}

/** Creates the account and waits until the server honours its rights. */
export async function createAccount(
  request: Required<AccountRequest>,
  context: AccountContext,
): Promise<{ token: string; username: string }> {
  const { name, namespace, rules, clusterRules } = request;
  const { admin, signal } = context;
  const post = (path: string, body: unknown, accept: readonly number[] = []): Promise<{ body: unknown }> =>
    admin.request('POST', path, { body, accept, signal });

  await post('/api/v1/namespaces', { metadata: { name: namespace } }, [409]);
  await post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const apiGroup = 'rbac.authorization.k8s.io';
  if (rules.length > 0) {
    await post(`${RBAC}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
    const roleRef = { apiGroup, kind: 'Role', name };
    await post(`${RBAC}/namespaces/${namespace}/rolebindings`, { metadata: { name }, subjects, roleRef });
  }
  if (clusterRules.length > 0) {
    const clusterName = `${namespace}:${name}`;
    await post(`${RBAC}/clusterroles`, { metadata: { name: clusterName }, rules: clusterRules });
    const roleRef = { apiGroup, kind: 'ClusterRole', name: clusterName };
    await post(`${RBAC}/clusterrolebindings`, { metadata: { name: clusterName }, subjects, roleRef });
  }
  const answer = await post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    spec: { expirationSeconds: TOKEN_SECONDS },
  });
  const { token } = (answer.body as { status: { token: string } }).status;
  await untilHonoured(request, context.as(token), context);
  return { token, username: `system:serviceaccount:${namespace}:${name}` };
}

/** The authorizer reads roles and bindings through watches, so they take effect a little after they were written. */
async function untilHonoured(
  request: Required<AccountRequest>,
  account: ApiRequester,
  context: AccountContext,
): Promise<void> {
  const reviews = [
    ...request.rules.map((rule) => reviewSpec(rule, request.namespace)),
    ...request.clusterRules.map((rule) => reviewSpec(rule, '')),
  ];
  for (const spec of reviews) {
    const allowed = await pollUntil(
      async () => {
        const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
        const answer = await account.request('POST', path, { body: { spec }, accept: [401], signal: context.signal });
        return (answer.body as { status?: { allowed?: boolean } }).status?.allowed === true ? true : undefined;
      },
      { deadline: context.deadline, interval: 20, signal: context.signal },
    );
    if (allowed === undefined) {
      throw new ControlPlaneError('CONTROL_PLANE_NOT_READY', {
        found: `a rule of the account did not take effect within ${Math.round(context.deadline.timeout / 1000)} s`,
        where: `account ${request.namespace}/${request.name}, ${JSON.stringify(spec)}`,
        todo: 'check that the rule names verbs with apiGroups and resources, or nonResourceURLs in clusterRules',
      });
    }
  }
}

/** The access review of the first thing that the rule allows. */
export function reviewSpec(rule: PolicyRule, namespace: string): object {
  const verb = rule.verbs[0] ?? '';
  if (rule.nonResourceURLs?.[0] !== undefined) {
    return { nonResourceAttributes: { verb, path: rule.nonResourceURLs[0] } };
  }
  const [resource = '', subresource] = (rule.resources?.[0] ?? '').split('/');
  return {
    resourceAttributes: {
      namespace,
      verb,
      group: rule.apiGroups?.[0] ?? '',
      resource,
      ...(subresource === undefined ? {} : { subresource }),
      ...(rule.resourceNames?.[0] === undefined ? {} : { name: rule.resourceNames[0] }),
    },
  };
}
