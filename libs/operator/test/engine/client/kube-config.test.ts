import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { ClusterAccess, Material } from '../../../src/engine/client/credentials/cluster-access.js';
import type { KubeConfigFile } from '../../../src/engine/client/credentials/kube-config-file.js';
import { loadClusterAccess } from '../../../src/engine/client/credentials/load-cluster-access.js';
import type {
  AccessEnvironment,
  KubeConfigSource,
} from '../../../src/engine/client/credentials/load-cluster-access.js';
import { KubeConfigError } from '../../../src/errors/kube-config.error.js';

const data = (text: string): string => Buffer.from(text).toString('base64');

function config(
  user: object = {},
  cluster: object = {},
  context: object = {},
  more: Partial<KubeConfigFile> = {},
): KubeConfigFile {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    clusters: [
      { name: 'other', cluster: { server: 'https://other.example' } },
      { name: 'c', cluster: { server: 'https://api.example:6443', ...cluster } },
    ],
    users: [{ name: 'other' }, { name: 'u', user }],
    contexts: [
      { name: 'second', context: { cluster: 'other', user: 'other' } },
      { name: 'main', context: { cluster: 'c', user: 'u', ...context } },
    ],
    ...more,
  };
}

let folder: string;
let environment: AccessEnvironment;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kube-config-'));
  environment = { env: {}, home: join(folder, 'home'), serviceAccount: join(folder, 'no-account') };
});

afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function fileOf(content: string | object, name = `config-${files++}`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : stringify(content));
  return path;
}

function messageOf(source: KubeConfigSource | undefined, at: AccessEnvironment = environment): string {
  try {
    loadClusterAccess(source, at);
  } catch (error) {
    expect(error).toBeInstanceOf(KubeConfigError);
    expect(error).toMatchObject({ code: 'OPERATOR_KUBE_CONFIG' });
    return (error as Error).message;
  }
  throw new Error('It was expected to be refused, and was not.');
}

describe('reading of kubeconfigs, beside client-node', () => {
  /** What both must agree on. */
  interface Reading {
    readonly server: string;
    readonly namespace: string | undefined;
    readonly ca: Material | undefined;
    readonly skipTlsVerify: boolean;
    readonly tlsServerName: string | undefined;
    readonly proxyUrl: string | undefined;
    readonly cert: Material | undefined;
    readonly key: Material | undefined;
    readonly token: string | undefined;
    readonly password: string | undefined;
    readonly exec: unknown;
    readonly as: string | undefined;
  }

  function material(value: string | undefined, file: string | undefined): Material | undefined {
    if (value !== undefined) return { value: Buffer.from(value, 'base64').toString() };
    return file === undefined ? undefined : { file };
  }

  function theirs(path: string): Reading {
    const loaded = new KubeConfig();
    loaded.loadFromFile(path);
    const cluster = loaded.getCurrentCluster()!;
    const user = loaded.getCurrentUser();
    return {
      server: cluster.server,
      namespace: loaded.getContextObject(loaded.getCurrentContext())!.namespace,
      ca: material(cluster.caData, cluster.caFile),
      skipTlsVerify: cluster.skipTLSVerify ?? false,
      tlsServerName: cluster.tlsServerName,
      proxyUrl: cluster.proxyUrl,
      cert: material(user?.certData, user?.certFile),
      key: material(user?.keyData, user?.keyFile),
      token: user?.token,
      password:
        user?.username === undefined || user.username === null ? undefined : `${user.username}:${user.password}`,
      exec: user?.exec ?? undefined,
      as: user?.impersonateUser ?? undefined,
    };
  }

  function ours({ cluster, namespace, auth, clientCertificate, clientKey, impersonation }: ClusterAccess): Reading {
    return {
      server: cluster.server,
      namespace,
      ca: cluster.ca,
      skipTlsVerify: cluster.skipTlsVerify,
      tlsServerName: cluster.tlsServerName,
      proxyUrl: cluster.proxyUrl,
      cert: clientCertificate,
      key: clientKey,
      token: auth.type === 'token' && 'value' in auth.token ? auth.token.value : undefined,
      password: auth.type === 'basic' ? `${auth.username}:${auth.password}` : undefined,
      exec: auth.type === 'exec' ? auth.exec : undefined,
      as: impersonation?.user,
    };
  }

  it.each<[string, KubeConfigFile]>([
    ['a token', config({ token: 'abc' })],
    ['a password', config({ username: 'me', password: 'pw' })],
    ['no way to authenticate', config()],
    ['certificates as data', config({ 'client-certificate-data': data('CERT'), 'client-key-data': data('KEY') })],
    ['certificates as absolute files', config({ 'client-certificate': '/a/cert', 'client-key': '/a/key' })],
    ['certificates as relative files', config({ 'client-certificate': 'a/cert', 'client-key': '../key' })],
    ['a CA as data', config({}, { 'certificate-authority-data': data('CA') })],
    ['a CA as relative file', config({}, { 'certificate-authority': 'pki/ca.crt' })],
    ['a server that ends in a slash', config({}, { server: 'https://api.example/path/' })],
    ['plain HTTP', config({}, { server: 'http://127.0.0.1:8080' })],
    ['no TLS verification', config({}, { 'insecure-skip-tls-verify': true })],
    ['a TLS server name', config({}, { 'tls-server-name': 'inner.example' })],
    ['a proxy', config({}, { 'proxy-url': 'socks5://127.0.0.1:1080' })],
    ['a namespace', config({}, {}, { namespace: 'team' })],
    ['impersonation', config({ token: 'abc', as: 'somebody' })],
    [
      'an exec plugin',
      config({
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'plugin',
          args: ['a'],
          env: [{ name: 'N', value: 'V' }],
          interactiveMode: 'Never',
          provideClusterInfo: true,
        },
      }),
    ],
    [
      'fields that nobody knows',
      config({ token: 'abc', later: true }, { later: 1 }, { later: [] }, { extensions: [] }),
    ],
  ])('agrees on %s', async (_title, content) => {
    const path = await fileOf(content);
    expect(ours(loadClusterAccess(path, environment))).toEqual(theirs(path));
  });

  it('agrees on a kubeconfig in JSON, and in YAML with anchors', async () => {
    for (const text of [
      JSON.stringify(config({ token: 'abc' })),
      'current-context: &n main\nclusters: [{name: *n, cluster: {server: "https://a.example"}}]\ncontexts:\n- {name: *n, context: {cluster: *n, user: *n}}\nusers:\n- name: *n\n  user:\n    token: >-\n      abc\n',
    ]) {
      const path = await fileOf(text);
      expect(ours(loadClusterAccess(path, environment))).toEqual(theirs(path));
    }
  });

  it('agrees on the ways that client-node exports for a pod', () => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromClusterAndUser(
      { name: 'inCluster', server: 'https://10.0.0.1:443', caFile: '/sa/ca.crt', skipTLSVerify: false },
      { name: 'inClusterUser', authProvider: { name: 'tokenFile', config: { tokenFile: '/sa/token' } } },
    );
    expect(loadClusterAccess(kubeConfig, environment)).toMatchObject({
      cluster: { server: 'https://10.0.0.1:443', ca: { file: '/sa/ca.crt' } },
      auth: { type: 'token', token: { file: '/sa/token' } },
    });
  });

  it('differs where kubectl differs from client-node: tokenFile, all of impersonation, data before files', async () => {
    const path = await fileOf(
      config(
        { tokenFile: 'token', as: 'a', 'as-uid': '1', 'as-groups': ['g'], 'as-user-extra': { k: ['v'] } },
        { 'certificate-authority': 'ca.crt', 'certificate-authority-data': data('CA') },
      ),
    );
    expect(loadClusterAccess(path, environment)).toMatchObject({
      cluster: { ca: { value: 'CA' } },
      auth: { type: 'token', token: { file: join(folder, 'token') } },
      impersonation: { user: 'a', uid: '1', groups: ['g'], extra: { k: ['v'] } },
    });
  });
});

describe('where the kubeconfig comes from', () => {
  it('is text, an object, a path, or a path with a context', async () => {
    const content = config({ token: 'abc' });
    const path = await fileOf(content);
    const sources: KubeConfigSource[] = [stringify(content), JSON.stringify(content), content, path, { file: path }];
    for (const source of sources) {
      expect(loadClusterAccess(source, environment).cluster.server).toBe('https://api.example:6443');
    }
    expect(loadClusterAccess({ file: path, context: 'second' }, environment).cluster.server).toBe(
      'https://other.example',
    );
  });

  it('is KUBECONFIG, then the home folder, then the pod', async () => {
    const env = { KUBECONFIG: await fileOf(config({}, { server: 'https://env.example' })) };
    const home = join(folder, 'some-home');
    const serviceAccount = join(folder, 'account');
    await mkdir(join(home, '.kube'), { recursive: true });
    await mkdir(serviceAccount);
    await writeFile(join(home, '.kube', 'config'), stringify(config({}, { server: 'https://home.example' })));
    await writeFile(join(serviceAccount, 'token'), 't');
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    const serverOf = (at: Partial<AccessEnvironment>): string =>
      loadClusterAccess(undefined, { ...environment, ...at }).cluster.server;
    expect(serverOf({ env: { ...env, ...pod }, home, serviceAccount })).toBe('https://env.example');
    expect(serverOf({ env: { KUBECONFIG: '', ...pod }, home, serviceAccount })).toBe('https://home.example');
    expect(serverOf({ env: pod, serviceAccount })).toBe('https://10.0.0.1:443');
    expect(messageOf(undefined)).toMatch(/No way to a cluster.*KUBECONFIG is not set.*\.kube\/config does not exist/);
  });

  it('may be several files: the first that has a name wins, missing ones are left out, paths start at their own file', async () => {
    await mkdir(join(folder, 'sub'), { recursive: true });
    const first = await fileOf({
      'current-context': 'main',
      contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
      users: [{ name: 'u', user: { token: 'first' } }],
    });
    const second = await fileOf(config({ token: 'second' }, { 'certificate-authority': 'ca.crt' }), 'sub/config');
    const env = { KUBECONFIG: [join(folder, 'missing'), first, '', second].join(delimiter) };
    expect(loadClusterAccess(undefined, { ...environment, env })).toMatchObject({
      origin: `Kubeconfig ${first}, Kubeconfig ${second}`,
      cluster: { ca: { file: join(folder, 'sub', 'ca.crt') } },
      auth: { type: 'token', token: { value: 'first' } },
    });
  });

  it('leads to a plugin beside the kubeconfig when its command is a relative path', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './bin/plugin' };
    const access = loadClusterAccess(await fileOf(config({ exec })), environment);
    expect(access.auth).toMatchObject({ type: 'exec', exec: { command: join(folder, 'bin', 'plugin') } });
  });
});

describe('kubeconfigs that lead nowhere', () => {
  it('say which file, what was found, and what to do', async () => {
    const path = await fileOf('placeholder', 'bad');
    const cases: readonly (readonly [object, RegExp])[] = [
      [
        config({}, {}, {}, { 'current-context': '' }),
        /no current-context is set. Contexts found: second, main\..*use-context/,
      ],
      [config({}, {}, {}, { 'current-context': 'x' }), /context "x" is not defined. Contexts found: second, main\./],
      [{ 'current-context': 'x' }, /context "x" is not defined. Contexts found: none\./],
      [
        config({}, {}, { cluster: 'y' }),
        /context "main" names cluster "y", which is not defined. Clusters found: other, c\./,
      ],
      [config({}, {}, { cluster: undefined }), /context "main" names no cluster/],
      [config({}, {}, { user: 'z' }), /context "main" names user "z", which is not defined. Users found: other, u\./],
      [config({}, { server: undefined }), /cluster "c" has no server/],
      [config({}, { server: 'api.example' }), /server of cluster "c" is not an http or https address/],
      [config({}, { 'proxy-url': 'ftp://a' }), /proxy-url of cluster "c" is not/],
      [
        config({ 'client-key-data': data('K') }),
        /client certificate or key without the other. Add client-certificate\./,
      ],
      [config({ exec: { apiVersion: 'v1' } }), /exec of user "u" has no command/],
      [config({ 'as-groups': ['g'] }), /as-uid, as-groups or as-user-extra without as/],
      [{ clusters: 'text' }, /"clusters" must be a list, found string/],
      [['a'], /is not a kubeconfig/],
    ];
    for (const [content, expected] of cases) {
      await writeFile(path, stringify(content));
      const message = messageOf(path);
      expect(message).toMatch(expected);
      expect(message).toContain(`Kubeconfig ${path}`);
    }
  });

  it('say the line of what is no YAML, and never quote it', async () => {
    const path = await fileOf('users:\n- token: "s3cret\n  x: [');
    const message = messageOf(path);
    expect(message).toMatch(/is neither YAML nor JSON \(line \d+\)/);
    expect(message).not.toContain('s3cret');
    expect(messageOf('{"users": "s3cret')).not.toContain('s3cret');
    expect(messageOf(await fileOf(''))).toContain('is not a kubeconfig');
  });

  it('name files that do not exist or cannot be read', () => {
    const missing = join(folder, 'missing');
    expect(messageOf(missing)).toBe(`Kubeconfig ${missing} does not exist. Check the path, or KUBECONFIG.`);
    expect(messageOf(folder)).toContain(`Kubeconfig ${folder} cannot be read`);
    const env = { KUBECONFIG: missing };
    expect(messageOf(undefined, { ...environment, env })).toContain(`Kubeconfig ${missing} does not exist`);
  });

  it('a broken entry harms only those who use it', () => {
    const content = config({ token: 'abc' }, {}, {}, {});
    const broken = {
      ...content,
      clusters: [{ name: 'broken' }, null, ...content.clusters!],
    } as unknown as KubeConfigFile;
    expect(loadClusterAccess(broken, environment).cluster.server).toBe('https://api.example:6443');
  });

  it('say what is missing outside a pod', () => {
    expect(messageOf({ inCluster: true })).toMatch(
      /missing the variable KUBERNETES_SERVICE_HOST, the variable KUBERNETES_SERVICE_PORT, the file .*token/,
    );
  });
});
