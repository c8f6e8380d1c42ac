import type { Session } from './session.js';

/** An account that nobody has given a right. */
export interface PlainAccount {
  readonly user: string;
  readonly token: string;
  /** The account as a subject of bindings. */
  readonly subject: { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };
}

/** An account that is new, as the real server remembers how accounts impersonated others; `<account>` in transcripts. */
export async function plainAccount(s: Session): Promise<PlainAccount> {
  const known = s.target.plainToken;
  const namespace = known === undefined ? s.namespace : 'default';
  // The case's namespace has its name by then.
  for (const shown of ['<namespace>', 'default']) s.call(`system:serviceaccount:${shown}:plain`, '<account>');
  return {
    user: `system:serviceaccount:${namespace}:plain`,
    token: known ?? (await tokenOf(s)),
    subject: { kind: 'ServiceAccount', name: 'plain', namespace },
  };
}

async function tokenOf(s: Session): Promise<string> {
  const path = `/api/v1/namespaces/${s.namespace}/serviceaccounts`;
  await s.quietly('POST', path, { metadata: { name: 'plain' } });
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const answer = await s.quietly('POST', `${path}/plain/token`, body);
  if (answer.status !== 201) throw new Error(`there is no token for the account: ${answer.status} ${answer.text}`);
  return answer.json.status.token as string;
}
