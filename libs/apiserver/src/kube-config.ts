/** A kubeconfig, as plain data. */
export interface KubeConfigData {
  apiVersion: 'v1';
  kind: 'Config';
  preferences: Record<string, never>;
  clusters: { name: string; cluster: { server: string } }[];
  users: { name: string; user: { token?: string } }[];
  contexts: { name: string; context: { cluster: string; user: string; namespace: string } }[];
  'current-context': string;
}

/** A kubeconfig with one context. Without a token for a server that asks for none. */
export function kubeConfigFor(server: string, user: string, token: string | undefined): KubeConfigData {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'embedded', cluster: { server } }],
    users: [{ name: user, user: token === undefined ? {} : { token } }],
    contexts: [{ name: 'embedded', context: { cluster: 'embedded', user, namespace: 'default' } }],
    'current-context': 'embedded',
  };
}
