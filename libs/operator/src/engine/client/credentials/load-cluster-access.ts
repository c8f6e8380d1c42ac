import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfigError } from '../../../errors/kube-config.error.js';
import type { ClusterAccess } from './cluster-access.js';
import type { KubeConfigFile } from './kube-config-file.js';
import { accessFrom, documentOf, parseKubeConfig, readKubeConfigFile } from './read-kube-config.js';

/**
 * Where the way to the cluster is read from.
 *
 * - a string: the path of a kubeconfig, or the text of one;
 * - an object: a kubeconfig's content, or anything with client-node's `exportConfig()`;
 * - `{ file, context? }`: one or more paths, and a context other than the current one;
 * - `{ inCluster: true }`: the files that are mounted into a pod, and nothing else.
 */
export type KubeConfigSource =
  | string
  | KubeConfigFile
  | { readonly file: string | readonly string[]; readonly context?: string }
  | { readonly inCluster: true }
  | { exportConfig(): string };

/** What the look-up depends on outside its arguments. */
export interface AccessEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folder with `token`, `ca.crt` and `namespace`. */
  readonly serviceAccount: string;
}

export function defaultEnvironment(): AccessEnvironment {
  return {
    env: process.env,
    home: homedir(),
    serviceAccount: '/var/run/secrets/kubernetes.io/serviceaccount',
  };
}

/**
 * Without a source: the files that `KUBECONFIG` names, else `~/.kube/config`, else the pod's own files. Reads kubeconfigs
 * at once; files that they name are read when credentials are needed.
 *
 * @throws KubeConfigError (`OPERATOR_KUBE_CONFIG`)
 */
export function loadClusterAccess(
  source?: KubeConfigSource,
  environment: AccessEnvironment = defaultEnvironment(),
): ClusterAccess {
  if (source === undefined) return loadDefault(environment);
  if (typeof source === 'string') {
    const isText = source.includes('\n') || source.trimStart().startsWith('{');
    return isText ? accessFrom([parseKubeConfig(source, 'The given kubeconfig')]) : loadFiles([source]);
  }
  if ('inCluster' in source) return loadInCluster(environment);
  if ('file' in source) {
    return loadFiles(typeof source.file === 'string' ? [source.file] : source.file, source.context);
  }
  if ('exportConfig' in source) {
    return accessFrom([parseKubeConfig(source.exportConfig(), 'The given KubeConfig')]);
  }
  return accessFrom([documentOf(source, 'The given kubeconfig')]);
}

function loadDefault(environment: AccessEnvironment): ClusterAccess {
  const named = (environment.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (named.length > 0) return loadFiles(named);
  const own = join(environment.home, '.kube', 'config');
  if (existsSync(own)) return loadFiles([own]);
  if (isInCluster(environment)) return loadInCluster(environment);
  throw new KubeConfigError(
    `No way to a cluster was found: KUBECONFIG is not set, ${own} does not exist, and this is not a pod with a service account. Set KUBECONFIG, or pass kubeConfig.`,
  );
}

/** Like kubectl: missing files are left out as long as one exists. */
function loadFiles(paths: readonly string[], context?: string): ClusterAccess {
  const documents = paths.map(readKubeConfigFile).filter((document) => document !== undefined);
  if (documents.length === 0) {
    throw new KubeConfigError(`Kubeconfig ${paths.join(', ')} does not exist. Check the path, or KUBECONFIG.`);
  }
  return accessFrom(documents, context);
}

function isInCluster(environment: AccessEnvironment): boolean {
  return existsSync(join(environment.serviceAccount, 'token'));
}

function loadInCluster(environment: AccessEnvironment): ClusterAccess {
  const host = environment.env['KUBERNETES_SERVICE_HOST'];
  const port = environment.env['KUBERNETES_SERVICE_PORT'];
  const token = join(environment.serviceAccount, 'token');
  const missing = [
    ...(host === undefined || host === '' ? ['the variable KUBERNETES_SERVICE_HOST'] : []),
    ...(port === undefined || port === '' ? ['the variable KUBERNETES_SERVICE_PORT'] : []),
    ...(isInCluster(environment) ? [] : [`the file ${token}`]),
  ];
  if (missing.length > 0) {
    throw new KubeConfigError(
      `Not in a pod with a service account: missing ${missing.join(', ')}. Outside a cluster pass a kubeconfig; in a pod check automountServiceAccountToken.`,
    );
  }
  return {
    origin: `The pod's service account in ${environment.serviceAccount}`,
    cluster: {
      server: `https://${host!.includes(':') ? `[${host}]` : host}:${port}`,
      ca: { file: join(environment.serviceAccount, 'ca.crt') },
      skipTlsVerify: false,
      tlsServerName: undefined,
      proxyUrl: undefined,
      execExtension: undefined,
    },
    namespace: readNamespace(join(environment.serviceAccount, 'namespace')),
    auth: { type: 'token', token: { file: token } },
    clientCertificate: undefined,
    clientKey: undefined,
    impersonation: undefined,
    inCluster: true,
  };
}

function readNamespace(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (cause) {
    throw new KubeConfigError(`The pod's namespace file ${path} cannot be read. Check its permissions.`, { cause });
  }
}
