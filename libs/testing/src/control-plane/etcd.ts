import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ControlPlaneError } from './control-plane-error.js';
import { sendJson } from './json-request.js';
import { isPortClash, ServerProcess, startWithFreePorts, type ServerContext } from './server-process.js';

export interface Etcd {
  readonly server: ServerProcess;
  readonly url: string;
}

/** Starts a one-member etcd that does not wait for the disk. */
export function startEtcd(command: string, context: ServerContext): Promise<Etcd> {
  return startWithFreePorts(async () => {
    const [client, peer] = [await context.choosePort(), await context.choosePort()];
    const url = `http://127.0.0.1:${client}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    const name = `test-${randomBytes(8).toString('hex')}`;
    const server = new ServerProcess(
      command,
      [
        `--name=${name}`,
        `--data-dir=${join(context.folder, name)}`,
        '--unsafe-no-fsync',
        '--log-level=error',
        '--watch-progress-notify-interval=5s',
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        `--listen-peer-urls=${peerUrl}`,
        `--initial-advertise-peer-urls=${peerUrl}`,
        `--initial-cluster=${name}=${peerUrl}`,
      ],
      context,
    );
    try {
      await server.untilReady(async () => {
        const { members } = (await callEtcd(url, '/v3/cluster/member/list', {}, context.signal)) as {
          members?: { name?: string }[];
        };
        // Another etcd may answer on the port when ours lost the race for it.
        return members?.some((member) => member.name === name) ? undefined : 'another etcd answers on the port';
      });
    } catch (error) {
      await server.kill();
      throw error;
    }
    return { server, url };
  }, isPortClash);
}

/** Where API servers that share an etcd tell each other what was compacted. */
const COMPACTED_KEY = 'compact_rev_key';

/** Compacts all history up to now, and announces it; the revision that is the oldest from then on. */
export async function compactEtcd(url: string, signal?: AbortSignal): Promise<number> {
  const status = (await callEtcd(url, '/v3/maintenance/status', {}, signal)) as { header: { revision: string } };
  const { revision } = status.header;
  await callEtcd(url, '/v3/kv/compaction', { revision, physical: true }, signal);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  // Without this, kube-apiserver goes on answering lists of old versions out of snapshots of its cache.
  await callEtcd(url, '/v3/kv/put', { key: base64(COMPACTED_KEY), value: base64(revision) }, signal);
  return Number(revision);
}

async function callEtcd(url: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const answer = await sendJson({ url }, 'POST', path, { body, signal });
  if (answer.status !== 200) {
    throw new ControlPlaneError('CONTROL_PLANE_REQUEST_FAILED', {
      found: `etcd answered ${answer.status}`,
      where: `POST ${url}${path}`,
      todo: 'compare the revision asked for with those that are left, or restart the control plane',
      output: [answer.text.slice(0, 500)],
    });
  }
  return JSON.parse(answer.text) as unknown;
}
