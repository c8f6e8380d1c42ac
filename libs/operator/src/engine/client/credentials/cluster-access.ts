import type { AuthProviderConfig, ExecConfig } from './kube-config-file.js';

/** Content that stands in the configuration itself, or in a file that may be replaced while the operator runs. */
export type Material = { readonly value: string } | { readonly file: string };

export interface Impersonation {
  readonly user: string | undefined;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** How to authenticate by header. Client certificates stand beside it and combine with each. */
export type HeaderAuth =
  | { readonly type: 'none' }
  | { readonly type: 'token'; readonly token: Material }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'exec'; readonly exec: ExecConfig }
  | { readonly type: 'provider'; readonly provider: AuthProviderConfig };

export interface ClusterEndpoint {
  /** As configured, without a slash at its end; may have a path. */
  readonly server: string;
  readonly ca: Material | undefined;
  readonly skipTlsVerify: boolean;
  readonly tlsServerName: string | undefined;
  readonly proxyUrl: string | undefined;
  /** What an exec plugin may be told beyond the server: the cluster's extension of that name. */
  readonly execExtension: unknown;
}

/** One cluster, and who we are there: what a kubeconfig's context, or a pod's mounted files, amount to. */
export interface ClusterAccess {
  /** Names the origin in messages: a file, or the pod. */
  readonly origin: string;
  readonly cluster: ClusterEndpoint;
  /** The context's namespace, or the pod's own. */
  readonly namespace: string | undefined;
  readonly auth: HeaderAuth;
  readonly clientCertificate: Material | undefined;
  readonly clientKey: Material | undefined;
  readonly impersonation: Impersonation | undefined;
  /** It is the service account of a pod. */
  readonly inCluster: boolean;
}
