import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { KubeConfigError } from '../../../errors/kube-config.error.js';
import type { ClusterAccess, HeaderAuth, Impersonation, Material } from './cluster-access.js';
import type { KubeConfigFile, NamedCluster, NamedContext, NamedUser } from './kube-config-file.js';

const require = createRequire(import.meta.url);

/** Name of the cluster extension that exec plugins are given. */
const execExtensionName = 'client.authentication.k8s.io/exec';

/** A kubeconfig and where it came from. Relative paths in it start at `folder`. */
export interface KubeConfigDocument {
  readonly origin: string;
  readonly folder: string | undefined;
  readonly content: KubeConfigFile;
}

/** `undefined`: the file does not exist. */
export function readKubeConfigFile(path: string): KubeConfigDocument | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new KubeConfigError(`Kubeconfig ${path} cannot be read. Check its path and permissions.`, { cause });
  }
  return parseKubeConfig(text, `Kubeconfig ${path}`, dirname(resolve(path)));
}

export function parseKubeConfig(text: string, origin: string, folder?: string): KubeConfigDocument {
  let content: unknown;
  try {
    // The YAML library is loaded on demand: in a cluster, and for JSON, nothing needs it.
    content = text.trimStart().startsWith('{')
      ? JSON.parse(text)
      : (require('yaml') as typeof import('yaml')).parse(text);
  } catch (error) {
    throw new KubeConfigError(`${origin} is neither YAML nor JSON${positionOf(error)}. Check the file's content.`);
  }
  return documentOf(content, origin, folder);
}

/** Checks the outer shape; entries are checked when they are used, so that a broken one harms only itself. */
export function documentOf(content: unknown, origin: string, folder?: string): KubeConfigDocument {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new KubeConfigError(`${origin} is not a kubeconfig: expected an object with clusters, users and contexts.`);
  }
  for (const list of ['clusters', 'users', 'contexts'] as const) {
    const value = (content as KubeConfigFile)[list];
    if (value !== undefined && value !== null && !Array.isArray(value)) {
      throw new KubeConfigError(`${origin}: "${list}" must be a list, found ${typeof value}.`);
    }
  }
  return { origin, folder, content: content as KubeConfigFile };
}

/** The error's own text can quote the file, secrets included. */
function positionOf(error: unknown): string {
  const positions = error instanceof Error && 'linePos' in error ? error.linePos : undefined;
  const first = Array.isArray(positions) ? (positions[0] as { line?: unknown } | undefined) : undefined;
  return typeof first?.line === 'number' ? ` (line ${first.line})` : '';
}

/**
 * Follows the context through several documents: each name, and the current context, is taken from the first document
 * that has it.
 */
export function accessFrom(documents: readonly KubeConfigDocument[], contextName?: string): ClusterAccess {
  const origin = documents.map((document) => document.origin).join(', ');
  const wanted = contextName ?? documents.map((document) => document.content['current-context']).find(isFilled);
  const contexts = entries<NamedContext>(documents, 'contexts');
  if (!isFilled(wanted)) {
    throw new KubeConfigError(
      `${origin}: no current-context is set. ${listed('Contexts', contexts)} Choose one: kubectl config use-context NAME.`,
    );
  }
  const context = contexts.get(wanted)?.entry.context;
  if (context === undefined || context === null) {
    throw new KubeConfigError(
      `${origin}: context "${wanted}" is not defined. ${listed('Contexts', contexts)} Choose one of these, or add it.`,
    );
  }
  const clusters = entries<NamedCluster>(documents, 'clusters');
  if (!isFilled(context.cluster)) {
    throw new KubeConfigError(`${origin}: context "${wanted}" names no cluster. ${listed('Clusters', clusters)}`);
  }
  const cluster = clusters.get(context.cluster);
  if (cluster?.entry.cluster === undefined || cluster.entry.cluster === null) {
    throw new KubeConfigError(
      `${origin}: context "${wanted}" names cluster "${context.cluster}", which is not defined. ${listed('Clusters', clusters)}`,
    );
  }
  const users = entries<NamedUser>(documents, 'users');
  const user = isFilled(context.user) ? users.get(context.user) : undefined;
  if (isFilled(context.user) && user === undefined) {
    throw new KubeConfigError(
      `${origin}: context "${wanted}" names user "${context.user}", which is not defined. ${listed('Users', users)}`,
    );
  }
  return {
    origin,
    cluster: endpointOf(cluster),
    namespace: filled(context.namespace),
    inCluster: false,
    ...(user === undefined ? anonymous : identityOf(user)),
  };
}

const anonymous = {
  auth: { type: 'none' },
  clientCertificate: undefined,
  clientKey: undefined,
  impersonation: undefined,
} as const satisfies Partial<ClusterAccess>;

interface Found<T> {
  readonly entry: T;
  readonly document: KubeConfigDocument;
}

function entries<T extends { readonly name: string }>(
  documents: readonly KubeConfigDocument[],
  list: 'clusters' | 'users' | 'contexts',
): ReadonlyMap<string, Found<T>> {
  const all = new Map<string, Found<T>>();
  for (const document of documents) {
    for (const entry of (document.content[list] ?? []) as unknown as readonly (T | null)[]) {
      if (isFilled(entry?.name) && !all.has(entry.name)) all.set(entry.name, { entry, document });
    }
  }
  return all;
}

function listed(title: string, names: ReadonlyMap<string, unknown>): string {
  return names.size === 0 ? `${title} found: none.` : `${title} found: ${[...names.keys()].join(', ')}.`;
}

function endpointOf({ entry, document }: Found<NamedCluster>): ClusterAccess['cluster'] {
  const { name, cluster } = entry;
  if (!isFilled(cluster.server)) {
    throw new KubeConfigError(`${document.origin}: cluster "${name}" has no server. Set its address.`);
  }
  const server = cluster.server.replace(/\/+$/, '');
  if (!isUrl(server, ['http:', 'https:'])) {
    throw new KubeConfigError(`${document.origin}: the server of cluster "${name}" is not an http or https address.`);
  }
  const proxyUrl = cluster['proxy-url'];
  if (isFilled(proxyUrl) && !isUrl(proxyUrl, ['http:', 'https:', 'socks5:'])) {
    throw new KubeConfigError(
      `${document.origin}: proxy-url of cluster "${name}" is not an http, https or socks5 address.`,
    );
  }
  return {
    server,
    ca: material(document, cluster['certificate-authority-data'], cluster['certificate-authority']),
    skipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: filled(cluster['tls-server-name']),
    proxyUrl: filled(proxyUrl),
    execExtension: cluster.extensions?.find((extension) => extension.name === execExtensionName)?.extension,
  };
}

function identityOf(
  found: Found<NamedUser>,
): Pick<ClusterAccess, 'auth' | 'clientCertificate' | 'clientKey' | 'impersonation'> {
  const { entry, document } = found;
  const user = entry.user ?? {};
  const clientCertificate = material(document, user['client-certificate-data'], user['client-certificate']);
  const clientKey = material(document, user['client-key-data'], user['client-key']);
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    const missing = clientKey === undefined ? 'client-key' : 'client-certificate';
    throw new KubeConfigError(
      `${document.origin}: user "${entry.name}" has a client certificate or key without the other. Add ${missing}.`,
    );
  }
  return { auth: authOf(found), clientCertificate, clientKey, impersonation: impersonationOf(found) };
}

/** Where several ways are given: what stands in the file comes before what has to be asked for. */
function authOf({ entry, document }: Found<NamedUser>): HeaderAuth {
  const user = entry.user ?? {};
  if (isFilled(user.tokenFile)) return { type: 'token', token: { file: inFolder(document, user.tokenFile) } };
  if (isFilled(user.token)) return { type: 'token', token: { value: user.token } };
  if (isFilled(user.username)) return { type: 'basic', username: user.username, password: user.password ?? '' };
  if (user.exec !== undefined && user.exec !== null) {
    const { command } = user.exec;
    if (!isFilled(command)) {
      throw new KubeConfigError(`${document.origin}: exec of user "${entry.name}" has no command.`);
    }
    return {
      type: 'exec',
      exec: { ...user.exec, command: /[/\\]/.test(command) ? inFolder(document, command) : command },
    };
  }
  const provider = user['auth-provider'];
  if (provider !== undefined && provider !== null) {
    const tokenFile = provider.config?.['tokenFile'];
    if (typeof tokenFile === 'string') return { type: 'token', token: { file: inFolder(document, tokenFile) } };
    return { type: 'provider', provider };
  }
  return { type: 'none' };
}

function impersonationOf({ entry, document }: Found<NamedUser>): Impersonation | undefined {
  const user = entry.user ?? {};
  const groups = user['as-groups'] ?? [];
  const extra = user['as-user-extra'] ?? {};
  const impersonation = { user: filled(user.as), uid: filled(user['as-uid']), groups, extra };
  const others = impersonation.uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0;
  if (impersonation.user === undefined) {
    if (!others) return undefined;
    throw new KubeConfigError(
      `${document.origin}: user "${entry.name}" sets as-uid, as-groups or as-user-extra without as. Add the user name.`,
    );
  }
  return impersonation;
}

/** As in kubectl, what stands in the kubeconfig itself comes before the file that it names. */
function material(document: KubeConfigDocument, data: unknown, file: unknown): Material | undefined {
  if (isFilled(data)) return { value: Buffer.from(data, 'base64').toString('utf8') };
  return isFilled(file) ? { file: inFolder(document, file) } : undefined;
}

function inFolder(document: KubeConfigDocument, path: string): string {
  return document.folder === undefined || isAbsolute(path) ? path : resolve(document.folder, path);
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function filled(value: unknown): string | undefined {
  return isFilled(value) ? value : undefined;
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}
