import { startApiServer, type Clock } from '../../src/index.js';
import { conformanceDefinition } from './run-case.js';
import type { Target } from './target.js';

/** An embedded server for the cases of a group. */
export interface EmbeddedTarget extends Target {
  /** The internal errors since this was last asked for. */
  readonly bugs: () => unknown[];
  readonly close: () => Promise<void>;
}

const speed = 8;

/** Goes faster than the machine's, so that time-outs are soon over. */
const fastClock = (): Clock => {
  const start = Date.now();
  const monotonic = (): number => performance.now() * speed;
  const begin = monotonic();
  return {
    now: () => start + (monotonic() - begin),
    monotonic,
    setTimer(delay, fire, options) {
      const handle = setTimeout(fire, Math.min(delay / speed, 2 ** 31 - 1));
      if (options?.background === true) handle.unref();
      return { cancel: () => clearTimeout(handle) };
    },
  };
};

/** The accounts that the real server has in the cluster tests. */
const users = [
  { name: 'admin', uid: 'admin', token: 'admin-token', groups: ['system:masters'] },
  {
    name: 'system:serviceaccount:default:plain',
    token: 'plain-token',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
  },
];

export async function startEmbeddedTarget(): Promise<EmbeddedTarget> {
  const bugs: unknown[] = [];
  const api = await startApiServer({
    crds: [conformanceDefinition],
    clock: fastClock(),
    users,
    authorization: 'rbac',
    onInternalError: (error) => void bugs.push(error),
  });
  return {
    name: 'embedded',
    url: api.url,
    token: 'admin-token',
    plainToken: 'plain-token',
    compact: () => Promise.resolve(api.compact()),
    bugs: () => bugs.splice(0),
    close: () => api.close(),
  };
}
