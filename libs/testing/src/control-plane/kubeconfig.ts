/** A kubeconfig as plain JSON, which is YAML too; of the form that kubectl and client-node read. */
export interface KubeconfigObject {
  apiVersion: 'v1';
  kind: 'Config';
  clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[];
  users: { name: string; user: { token: string } }[];
  contexts: { name: string; context: { cluster: string; user: string; namespace: string } }[];
  'current-context': string;
  preferences: Record<string, never>;
}

export interface KubeconfigInputs {
  readonly url: string;
  /** PEM in base64. */
  readonly caData: string;
  readonly user: string;
  readonly token: string;
  readonly namespace: string;
}

/** One cluster, one user, one context, which is the current one. */
export function buildKubeconfig(inputs: KubeconfigInputs): KubeconfigObject {
  const cluster = 'control-plane';
  const context = `${inputs.user}@${cluster}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server: inputs.url, 'certificate-authority-data': inputs.caData } }],
    users: [{ name: inputs.user, user: { token: inputs.token } }],
    contexts: [{ name: context, context: { cluster, user: inputs.user, namespace: inputs.namespace } }],
    'current-context': context,
    preferences: {},
  };
}
