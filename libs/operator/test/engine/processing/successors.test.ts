import { afterEach, describe, expect, it } from 'vitest';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { widget } from '../watching/support.js';
import { FakeServer } from './fake-server.js';
import { on, ProcessingRig } from './rig.js';

/** When the object is replaced: at a request of the cycle, before or after the server has answered it, or at a call. */
interface Moment {
  readonly at: 'request' | 'answer' | 'call';
  readonly index: number;
}

/** What the watch tells of it: all at once, all when the cycle is over, or the new object only. */
type Telling = 'at once' | 'late' | 'new object only';

type Phase = 'creation' | 'update' | 'deletion';

let open: ProcessingRig | undefined;

afterEach(async () => {
  await open?.stop();
});

/** Replaces the object by another one of its name in the midst of a cycle; tells whether the moment ever came. */
async function replaceDuring(phase: Phase, moment: Moment, telling: Telling): Promise<boolean> {
  const server = new FakeServer();
  let armed = phase === 'creation';
  let requests = 0;
  let calls = 0;
  let replaced = false;
  let tell = (): void => undefined;
  const replace = (): void => {
    armed = false;
    replaced = true;
    const before = server.objects.get('ns/a');
    const removedAt = server.nextVersion();
    const successor = widget({ uid: 'u2', version: server.nextVersion(), spec: 'second' });
    server.objects.set('ns/a', successor);
    tell = () => {
      tell = () => undefined;
      if (telling !== 'new object only' && before !== undefined) {
        const metadata = { ...before.metadata, resourceVersion: removedAt };
        rig.store.observe('DELETED', { ...before, metadata }, undefined);
      }
      rig.store.observe('ADDED', successor, undefined);
    };
    if (telling !== 'late') tell();
  };
  const onCall = async (): Promise<void> => {
    if (armed && moment.at === 'call' && calls++ === moment.index) replace();
    await Promise.resolve();
  };
  const rig = new ProcessingRig({
    server,
    handlers: [
      {
        id: 'ensure',
        triggers: [on.create(), on.update()],
        run: async ({ meta, spec }) => {
          await onCall();
          return { by: meta.uid, spec };
        },
      },
      { id: 'seen', triggers: [on.event()], run: onCall },
      { id: 'level', triggers: [on.reconcile()], run: onCall },
      { id: 'remove', triggers: [on.delete()], run: onCall },
    ],
  });
  open = rig;
  server.intercept(async (request) => {
    if (!armed || requests++ !== moment.index) return undefined;
    if (moment.at === 'request') replace();
    if (moment.at !== 'answer') return undefined;
    armed = false;
    const { body } = await server.request<StoredObject>(request);
    replace();
    return body;
  });
  await rig.create({ spec: 'first' });
  armed ||= !replaced && phase === 'update';
  if (phase !== 'creation') await rig.change({ spec: 'changed' });
  if (phase === 'deletion') {
    armed = true;
    await rig.delete();
  }
  await rig.advance(1);
  tell();
  await rig.advance(5_000);
  if (!replaced) return false;
  // The successor is handled once, as a new object, and nothing of its predecessor is on it.
  const of = (handler: string): string[] =>
    rig.calls.filter((call) => call.object.metadata.uid === 'u2' && call.handler === handler).map(({ cause }) => cause);
  expect(of('ensure')).toEqual(['create']);
  expect(of('seen')).toEqual(['event ADDED']);
  expect(of('remove')).toEqual([]);
  expect(rig.object.metadata).toMatchObject({ uid: 'u2', finalizers: ['op.example/finalizer'] });
  expect(rig.object['status']).toMatchObject({ by: 'u2' });
  expect(rig.record?.['uid']).toBe('u2');
  expect([rig.fatals, rig.messages('error'), rig.processor.throttled]).toEqual([[], [], 0]);
  const count = server.requests.length;
  await rig.advance(60_000);
  expect(server.requests).toHaveLength(count);
  await rig.delete();
  await rig.advance(1);
  expect(of('remove')).toEqual(['delete']);
  expect([server.objects.size, rig.store.size, rig.queue.size, rig.clock.pending]).toEqual([0, 0, 0, 0]);
  return true;
}

describe.each<Phase>(['creation', 'update', 'deletion'])('an object replaced during the cycle of its %s', (phase) => {
  it.each<Telling>(['at once', 'late', 'new object only'])(
    'leaves nothing to its successor, told %s',
    async (telling) => {
      for (const at of ['request', 'answer', 'call'] as const) {
        let index = 0;
        while (await replaceDuring(phase, { at, index }, telling)) {
          await open?.stop();
          index += 1;
        }
        expect(index).toBeGreaterThan(0);
      }
    },
  );
});
