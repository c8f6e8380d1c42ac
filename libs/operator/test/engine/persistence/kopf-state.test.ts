import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../../../src/engine/kube-object.js';
import { isKopfProgressKey } from '../../../src/engine/persistence/kopf-keys.js';
import { KopfState, type KopfHandler } from '../../../src/engine/persistence/kopf-state.js';
import { nothingHandled, progressOf, type ObjectRecord } from '../../../src/engine/persistence/object-record.js';
import { essenceOf } from '../../../src/engine/processing/essence.js';
import { widget as widgetWith } from '../watching/support.js';

const names = { prefix: 'kopf.zalando.org', finalizer: 'kopf.zalando.org/KopfFinalizerMarker', statusField: 'kopf' };
const lastHandled = 'kopf.zalando.org/last-handled-configuration';

function widget({ annotations, ...fields }: { annotations?: object; [field: string]: unknown }): StoredObject {
  return widgetWith({ ...fields, version: 1, metadata: annotations === undefined ? {} : { annotations } });
}

function stateFor(...ids: string[]): KopfState {
  const handlers = ids.map((id): KopfHandler => ({ id, kopfIds: [id] }));
  return new KopfState({ names, apiVersion: 'demo.example/v1', handlers, essence: (object) => essenceOf(object) });
}

function kept(progress: object, spec: object = { n: 1 }): StoredObject {
  const annotations = Object.fromEntries(
    Object.entries(progress).map(([id, value]) => [`kopf.zalando.org/${id}`, JSON.stringify(value)]),
  );
  return widget({ spec, annotations });
}

function read(object: StoredObject, ...ids: string[]): ObjectRecord {
  const record = stateFor(...ids).read(object);
  if (record === undefined) throw new Error('Kopf left nothing.');
  return record;
}

const essence = (content: object): object => ({ kind: 'essence', essence: content });

describe('the state that Kopf left', () => {
  it('of a handled object is the last handled state of every handler', () => {
    const annotations = { [lastHandled]: '{"spec":{"n":1},"metadata":{"labels":{"a":"b"}}}\n', other: 'kept' };
    const record = read(widget({ spec: { n: 2 }, annotations }), 'one', 'two');
    const handled = essence({ spec: { n: 1 }, metadata: { labels: { a: 'b' } } });
    expect(record.shared).toEqual(handled);
    for (const id of ['one', 'two']) {
      expect(progressOf(record, id)).toEqual({ ...nothingHandled, handled, creationOpen: false });
    }
    expect(record.apiVersion).toBe('demo.example/v1');
  });

  it('of an object that it never handled is none, whatever else stands under its name', () => {
    const annotations = { [lastHandled]: 'no JSON', 'kopf.zalando.org/one': '"text"', 'kopf.zalando.org/two': '{}' };
    expect(stateFor('one', 'two').read(widget({ annotations }))).toBeUndefined();
    expect(stateFor('one').read(widget({}))).toBeUndefined();
    expect(stateFor('one').read(widget({ status: { kopf: 'text' } }))).toBeUndefined();
  });

  it('of an unfinished creation: what is done is not done again, what failed goes on, what it does not know is open', () => {
    const object = kept({
      done: { started: '2024-05-01T10:00:00.5', stopped: '2024-05-01T10:00:01', purpose: 'create', success: true },
      failed: { started: '2024-05-01T10:00:00', purpose: 'create', retries: 3, failure: true },
      open: { started: '2024-05-01T10:00:00', delayed: '2024-05-01T11:00:00+01:00', purpose: 'create', retries: 2 },
    });
    const record = read(object, 'done', 'failed', 'open', 'new');
    const present = essence({ spec: { n: 1 } });
    const done = { ...nothingHandled, handled: present, creationOpen: false };
    expect(record.shared).toBeUndefined();
    expect(progressOf(record, 'done')).toEqual(done);
    expect(progressOf(record, 'failed')).toEqual(done);
    expect(progressOf(record, 'new')).toEqual(nothingHandled);
    const at = Date.parse('2024-05-01T10:00:00Z');
    expect(progressOf(record, 'open')).toEqual({
      ...nothingHandled,
      attempt: { cause: 'create', saw: undefined, failures: 2, startedAt: at, lastAt: at, nextAt: at },
    });
  });

  it('of a deletion under way', () => {
    const started = '2024-05-01T10:00:00+00:00';
    const object = kept({
      done: { started, purpose: 'delete', success: true },
      open: { started, purpose: 'delete', retries: 1 },
    });
    const record = read(object, 'done', 'open');
    expect(progressOf(record, 'done')).toMatchObject({ deletionDone: true, creationOpen: false });
    expect(progressOf(record, 'open')).toMatchObject({
      attempt: { cause: 'delete', failures: 1 },
      deletionDone: false,
    });
  });

  it('of resumption is nothing: each process resumes anew', () => {
    const annotations = {
      [lastHandled]: '{"spec":{}}',
      'kopf.zalando.org/one': '{"started":"2024-05-01T10:00:00","purpose":"resume","retries":1}',
    };
    expect(progressOf(read(widget({ annotations }), 'one'), 'one').attempt).toBeUndefined();
  });

  it('on a ReplicaSet of a Deployment stands under marked keys, and that of the Deployment is not read', () => {
    const replicaSet = {
      ...widget({ annotations: { [lastHandled]: '{"of":"deployment"}', [`${lastHandled}-ofDRS`]: '{"of":"own"}' } }),
      kind: 'ReplicaSet',
    };
    const owned = {
      ...replicaSet,
      metadata: {
        ...replicaSet.metadata,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'd1' }],
      },
    };
    expect(read(owned, 'one').shared).toEqual(essence({ of: 'own' }));
    expect(Object.keys(stateFor('one').traces(owned)?.annotations ?? {})).toHaveLength(2);
  });

  it('is told from what others keep under the same domain or in the same field', () => {
    const annotations = {
      [lastHandled]: '{}',
      'kopf.zalando.org/kopf-managed': 'yes',
      'kopf.zalando.org/touch-dummy': '2024-05-01',
      'kopf.zalando.org/some.other_handler': '{"started":"2024-05-01T10:00:00","purpose":"create"}',
      'kopf.zalando.org/note': 'by a person',
      'other.example/last-handled-configuration': '{}',
    };
    const status = { kopf: { progress: { one: {} }, dummy: 'x' }, phase: 'Ready' };
    expect(stateFor('one').traces(widget({ annotations, status }))).toEqual({
      annotations: {
        [lastHandled]: null,
        'kopf.zalando.org/kopf-managed': null,
        'kopf.zalando.org/touch-dummy': null,
        'kopf.zalando.org/some.other_handler': null,
      },
      status: { kopf: null },
    });
    const shared = { kopf: { progress: {}, mine: 1 } };
    expect(stateFor('one').traces(widget({ status: shared }))?.status).toEqual({ kopf: { progress: null } });
    expect(stateFor('one').traces(widget({ annotations: { 'kopf.zalando.org/note': 'by a person' } }))).toBeUndefined();
    expect(stateFor('one').traces(widget({ status: { kopf: { mine: 1 } } }))).toBeUndefined();
  });

  it('is found under ids that were cut', () => {
    const id = 'provision_the_storage_of_the_widget_in_the_region_that_its_team_has_chosen';
    const prefix = 'kopf.zalando.org';
    const keys = [
      'provision_the_storage_of_the_widget_in_the_region_that_i-Lnhbxg',
      'provision_the_storage_of_the_widget_in_-Lnhbxg',
    ];
    for (const key of keys) expect(isKopfProgressKey(`${prefix}/${key}`, prefix, id)).toBe(true);
    expect(isKopfProgressKey(`${prefix}/${keys[0]}`, prefix, `another_${id}`)).toBe(false);
    expect(isKopfProgressKey(`${prefix}/${keys[0]}`, 'other.example', id)).toBe(false);
    expect(isKopfProgressKey(`${prefix}/fn.spec.size`, prefix, 'fn/spec.size')).toBe(true);
    expect(isKopfProgressKey(`${prefix}/_lambda_`, prefix, '<lambda>')).toBe(true);
    expect(isKopfProgressKey(`${prefix}/provision`, prefix, id)).toBe(false);
  });
});

describe('the essence', () => {
  it('has no part in what Kopf keeps on an object, under its own domain or a marked one', () => {
    const annotations = {
      'kopf.zalando.org/last-handled-configuration': '{}',
      'kopf.dev.kopf.zalando.org/x': '1',
      'team.example/kopf-managed': 'yes',
      'team.example/update_fn': '{}',
      'other.example/note': 'kept',
      plain: 'kept',
    };
    expect(essenceOf(widget({ annotations }))).toMatchObject({
      metadata: { annotations: { 'other.example/note': 'kept', plain: 'kept' } },
    });
    const unmarked = { 'team.example/update_fn': '{}' };
    expect(essenceOf(widget({ annotations: unmarked }))).toMatchObject({ metadata: { annotations: unmarked } });
  });
});
