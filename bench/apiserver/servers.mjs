// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startControlPlane } from '@nestjs-operator/testing/control-plane';

/**
 * A server under test. `usage` is what its processes have used so far: milliseconds of processor time, bytes of memory.
 *
 * @typedef {{ name: string, url: string, ca?: string, token?: string, usage(): Promise<{ cpu: number, rss: number }>, close(): Promise<void> }} Server
 */

/** @returns {Promise<Server>} */
export async function embedded(options = {}) {
  const child = fork(fileURLToPath(new URL('embedded-server.mjs', import.meta.url)), [JSON.stringify(options)]);
  const [{ url }] = await once(child, 'message');
  return {
    name: 'embedded',
    url,
    usage: async () => {
      child.send('usage');
      const [answer] = await once(child, 'message');
      return answer;
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.send('close');
      await ended;
    },
  };
}

/** kube-apiserver with its etcd. @returns {Promise<Server>} */
export async function real() {
  // The launcher's own: durable writes off, as tests have it.
  const plane = await startControlPlane();
  const {
    url,
    address: { adminToken: token },
  } = plane;
  const ca = Buffer.from(plane.caData, 'base64').toString();
  const pids = Object.values(plane.processIds);
  return {
    name: 'real',
    url,
    ca,
    token,
    usage: () => Promise.resolve(pids.reduce((sum, pid) => add(sum, usageOf(pid)), { cpu: 0, rss: 0 })),
    close: () => plane.stop(),
  };
}

const add = (a, b) => ({ cpu: a.cpu + b.cpu, rss: a.rss + b.rss });

function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { cpu: ticks * 10, rss: Number(fields[21]) * 4096 };
}
