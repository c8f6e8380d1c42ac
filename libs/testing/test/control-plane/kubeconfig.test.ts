import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { connectControlPlane, type ControlPlaneAccount } from '../../src/control-plane/index.js';
import { temporaryFolder } from './fixtures.js';

const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';

function connect(): ReturnType<typeof connectControlPlane> {
  return connectControlPlane({
    url: 'https://127.0.0.1:20001',
    caData: Buffer.from(PEM).toString('base64'),
    adminToken: 'admin-token',
    etcdUrl: 'http://127.0.0.1:20002',
    version: 'v1.36.3',
    folder: '/nowhere',
    binaries: {},
  });
}

describe('a kubeconfig', () => {
  it('of the administrator is what client-node reads back', () => {
    const config = new KubeConfig();
    config.loadFromString(JSON.stringify(connect().kubeConfig()));
    expect(config.getCurrentCluster()).toMatchObject({
      server: 'https://127.0.0.1:20001',
      caData: Buffer.from(PEM).toString('base64'),
      skipTLSVerify: false,
    });
    expect(config.getCurrentUser()).toMatchObject({ name: 'admin', token: 'admin-token' });
    expect(config.getContextObject(config.getCurrentContext())).toMatchObject({ namespace: 'default' });
  });

  it('of an account carries its token and its namespace, and is a new object each time', () => {
    const connection = connect();
    const account: ControlPlaneAccount = {
      name: 'reader',
      namespace: 'team',
      username: 'system:serviceaccount:team:reader',
      token: 'reader-token',
      kubeConfig: connection.kubeConfig(),
    };
    const config = connection.kubeConfig(account);
    expect(config.users).toEqual([{ name: 'system:serviceaccount:team:reader', user: { token: 'reader-token' } }]);
    expect(config.contexts[0]).toMatchObject({ name: config['current-context'], context: { namespace: 'team' } });
    expect(connection.kubeConfig(account)).not.toBe(config);
    expect(JSON.stringify(config)).not.toContain('admin-token');
  });

  it('is written for its owner only', async () => {
    const path = join(await temporaryFolder(), 'kubeconfig');
    await connect().writeKubeconfig(path);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(connect().kubeConfig());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
