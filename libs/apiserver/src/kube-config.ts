/** A kubeconfig, as plain data. */
export interface KubeConfigData {
  apiVersion: 'v1';
  kind: 'Config';
  preferences: Record<string, never>;
  clusters: { name: string; cluster: { server: string; 'insecure-skip-tls-verify': true } }[];
  users: { name: string; user: { token?: string } }[];
  contexts: { name: string; context: { cluster: string; user: string; namespace: string } }[];
  'current-context': string;
}

/**
 * A kubeconfig with one context. It asks for no proof of the server: there is none by plain HTTP, and client-node sends
 * nothing to a server that has to give it and cannot. Without a token for a server that asks for none.
 */
export function kubeConfigFor(server: string, user: string, token: string | undefined): KubeConfigData {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'embedded', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: user, user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'embedded', context: { cluster: 'embedded', user, namespace: 'default' } }],
    'current-context': 'embedded',
  };
}
