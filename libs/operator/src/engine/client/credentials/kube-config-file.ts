/** The parts of a kubeconfig that this client uses, by their names in the file. */
export interface KubeConfigFile {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly 'current-context'?: string | null;
  readonly clusters?: readonly NamedCluster[] | null;
  readonly users?: readonly NamedUser[] | null;
  readonly contexts?: readonly NamedContext[] | null;
  readonly preferences?: unknown;
  readonly extensions?: unknown;
}

export interface NamedCluster {
  readonly name: string;
  readonly cluster: {
    readonly server: string;
    readonly 'certificate-authority'?: string;
    readonly 'certificate-authority-data'?: string;
    readonly 'insecure-skip-tls-verify'?: boolean;
    readonly 'tls-server-name'?: string;
    readonly 'proxy-url'?: string;
    readonly 'disable-compression'?: boolean;
    readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
  };
}

export interface NamedUser {
  readonly name: string;
  readonly user?: {
    readonly token?: string;
    readonly tokenFile?: string;
    readonly username?: string;
    readonly password?: string;
    readonly 'client-certificate'?: string;
    readonly 'client-certificate-data'?: string;
    readonly 'client-key'?: string;
    readonly 'client-key-data'?: string;
    readonly exec?: ExecConfig | null;
    readonly 'auth-provider'?: AuthProviderConfig | null;
    readonly as?: string;
    readonly 'as-uid'?: string;
    readonly 'as-groups'?: readonly string[];
    readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  } | null;
}

export interface NamedContext {
  readonly name: string;
  readonly context: {
    readonly cluster: string;
    readonly user?: string;
    readonly namespace?: string;
  };
}

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
}

export interface AuthProviderConfig {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>> | null;
}
