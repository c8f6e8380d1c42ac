import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ClosedError, startApiServer, systemClock, type Clock, type JsonObject, type Timer } from '../src/index.js';
import { configMap, configMaps, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { call, WatchStream } from './support/http.js';

/** What holds the process now and did not before. */
function handles(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const at = known.indexOf(kind);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** Widgets with a rule, so that each server compiles one. */
const ruledDefinition: JsonObject = structuredClone(widgetDefinition);
const { versions } = ruledDefinition['spec'] as { versions: { schema: { openAPIV3Schema: JsonObject } }[] };
const { spec } = versions[0]!.schema.openAPIV3Schema['properties'] as { spec: JsonObject };
spec['x-kubernetes-validations'] = [{ rule: "self.?mode.orValue('') != 'b' || self.size > 1", message: 'too small' }];

/** The machine's clock, which knows the timers that are set. */
class CountingClock implements Clock {
  readonly pending = new Set<Timer>();
  readonly now = systemClock.now;
  readonly monotonic = systemClock.monotonic;

  setTimer(delay: number, fire: () => void, options?: { background?: boolean }): Timer {
    const inner = systemClock.setTimer(
      delay,
      () => {
        this.pending.delete(timer);
        fire();
      },
      options,
    );
    const timer: Timer = {
      cancel: () => {
        this.pending.delete(timer);
        inner.cancel();
      },
    };
    this.pending.add(timer);
    return timer;
  }
}

/** What is left when the other ends of the connections have seen the end, which takes some turns. */
async function leftHandles(before: readonly string[]): Promise<string[]> {
  for (let turn = 0; turn < 500 && (turn < 20 || handles(before).length > 0); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return handles(before);
}

const idle = (port: number): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => socket.destroy()); // The server ends it on close, in whatever way.
  });

/** Two rules for Widgets, by a function in this process: one that answers, and one for Widgets called `late` that never does. */
const configurations = [
  hookConfiguration('MutatingWebhookConfiguration', 'answers', 'team'),
  hookConfiguration('ValidatingWebhookConfiguration', 'hangs', 'late'),
];

function hookConfiguration(kind: string, service: string, label: string): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: service },
    webhooks: [
      {
        name: `${service}.example.com`,
        clientConfig: { service: { namespace: 'default', name: service } },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['*'], resources: ['widgets'], operations: ['CREATE'] }],
        objectSelector: { matchLabels: { hook: label } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 30,
      },
    ],
  };
}

const services = {
  'default/answers': (review: JsonObject): JsonObject => ({
    ...review,
    response: { uid: (review['request'] as JsonObject)['uid'], allowed: true },
  }),
  'default/hangs': (): Promise<JsonObject> => new Promise(() => undefined),
};

let collectGarbage: (() => void) | undefined;

/** Bytes that are in use once everything that can be freed is. */
async function heap(): Promise<number> {
  if (collectGarbage === undefined) {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

describe('the life of a server', () => {
  it('leaves nothing behind, a hundred times over: no handle, no timer, no memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apiserver-lifetime-'));
    const clock = new CountingClock();
    const files = readdirSync('/proc/self/fd').length;
    const before = process.getActiveResourcesInfo();
    let early = 0;
    for (let time = 0; time < 100; time++) {
      const api = await startApiServer({
        crds: [ruledDefinition],
        objects: configurations,
        webhooks: { services },
        clock,
        stateFile: join(folder, `state-${time % 5}`),
      });
      const stream = await WatchStream.open(api.url, `${configMaps}?watch=1&allowWatchBookmarks=true`);
      // Watches whose events are held back by faults until after the close, and one that is cut before.
      api.faults.add({ match: { verb: 'watch', resource: 'widgets' }, do: { action: 'delayEvents', ms: 60_000 } });
      api.faults.add({ match: { verb: 'watch', resource: 'namespaces' }, do: { action: 'cut', afterBytes: 10 } });
      const held = await WatchStream.open(api.url, `${widgets}?watch=1`);
      const cut = await WatchStream.open(api.url, '/api/v1/namespaces?watch=1');
      const socket = await idle(api.port);
      await call(api.url, 'POST', configMaps, {
        body: configMap(`a${time}`, {}, { finalizers: ['x.example/a'] }),
      });
      const create = (name: string, more: JsonObject = {}) =>
        call(api.url, 'POST', widgets, { body: widget(name, more) });
      expect((await create(`w${time}`, { metadata: { labels: { hook: 'team' } } })).status).toBe(201);
      expect((await create(`big${time}`, { spec: { size: 11 } })).json.details.causes[0].reason).toBe(
        'FieldValueInvalid',
      );
      const small = { spec: { size: 1, mode: 'b' } };
      expect((await create(`small${time}`, small)).json.details.causes[0].message).toBe('Invalid value: too small');
      expect(await cut.ended()).toEqual(expect.any(String));
      // Work for a controller, and three requests that are under way when the server closes.
      await call(api.url, 'DELETE', '/api/v1/namespaces/kube-node-lease');
      api.faults.add({ match: { resource: 'secrets' }, do: { action: 'delay', ms: 60_000 } });
      const broken = (error: NodeJS.ErrnoException): string | undefined => error.code;
      const pending = [
        call(api.url, 'GET', '/api/v1/secrets').catch(broken),
        call(api.url, 'GET', `${configMaps}?resourceVersion=999999`).catch(broken),
        create(`late${time}`, { metadata: { labels: { hook: 'late' } } }).catch(broken),
      ];
      const waiting = api.waitFor(() => false).catch((error: unknown) => error);
      while (api.requests.length < 11) await new Promise((resolve) => setImmediate(resolve));
      // The watches' bookmarks, ends and events, the delay, the waits for a version, the webhook and the store.
      expect(clock.pending.size).toBeGreaterThanOrEqual(9);
      await api.close();
      for (const open of [stream, held]) expect(await open.ended()).toEqual(expect.any(String));
      expect(await Promise.all(pending)).toEqual(['ECONNRESET', 'ECONNRESET', 'ECONNRESET']);
      expect(await waiting).toBeInstanceOf(ClosedError);
      socket.destroy();
      expect([await leftHandles(before), clock.pending.size, api.activity.count]).toEqual([[], 0, 0]);
      if (time === 19) early = await heap();
    }
    const growth = (await heap()) - early;
    // 80 servers with some 50 objects each, and their compiled schemas and rules, would be much more.
    expect(growth).toBeLessThan(3 * 2 ** 20);
    expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(files + 2);
    rmSync(folder, { recursive: true });
  }, 120_000);

  it('frees its port: the next server can have it', async () => {
    const first = await startApiServer();
    await first.close();
    const second = await startApiServer({ port: first.port });
    expect((await call(second.url, 'GET', '/healthz')).text).toBe('ok');
    await second.close();
    await expect(call(second.url, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  });
});
