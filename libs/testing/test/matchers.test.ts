import 'reflect-metadata';
import { CustomResource, KubeObject } from 'nestjs-operator';
import { describe, expect, test } from 'vitest';
import { buildObject, ownerReferenceTo } from '../src/index.js';
import { operatorMatchers } from '../src/vitest.js';

expect.extend(operatorMatchers);

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Note', plural: 'notes', scope: 'Namespaced' })
class Note extends KubeObject<{ text: string }, { conditions?: object[] }> {}

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Shelf', plural: 'shelves', scope: 'Cluster' })
class Shelf extends KubeObject<{ width: number }> {}

const ready = { type: 'Ready', status: 'True', reason: 'Written', message: '', lastTransitionTime: '' };
const note = buildObject(Note, { spec: { text: 'a' }, status: { conditions: [ready] } });

describe('buildObject', () => {
  test('fills in what a server sets', () => {
    expect(note).toEqual({
      apiVersion: 'demo.example/v1',
      kind: 'Note',
      metadata: {
        name: 'note',
        namespace: 'default',
        uid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
        resourceVersion: '1',
        generation: 1,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
      spec: { text: 'a' },
      status: { conditions: [ready] },
    });
  });

  test('has one uid per identity', () => {
    const uid = (name: string): string => buildObject(Note, { metadata: { name } }).metadata.uid;
    expect(uid('a')).toBe(uid('a'));
    expect(uid('a')).not.toBe(uid('b'));
  });

  test('leaves cluster-scoped objects without a namespace, and builds kinds by name', () => {
    expect(buildObject(Shelf).metadata).not.toHaveProperty('namespace');
    const config = buildObject({ apiVersion: 'v1', kind: 'ConfigMap' }, { metadata: { name: 'c' }, data: { a: 'b' } });
    expect(config).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } });
  });

  test('refuses what does not tell a kind', () => {
    class Plain {}
    expect(() => buildObject(Plain)).toThrow('Plain is no resource');
    expect(() => buildObject({ plural: 'notes' })).toThrow('"notes" does not tell the kind');
  });
});

describe('the matchers', () => {
  const owned = buildObject(Note, {
    metadata: { ownerReferences: [ownerReferenceTo(note)], finalizers: ['a.example/f'], deletionTimestamp: 'now' },
  });
  const events = { events: [{ reason: 'Made', message: 'a note' }] };

  test('hold', () => {
    expect(note).toHaveCondition('Ready');
    expect(note).toHaveCondition('Ready', 'True');
    expect(note).toHaveCondition('Ready', { status: true, reason: 'Written' });
    expect(owned).toHaveFinalizer('a.example/f');
    expect(owned).toHaveFinalizer();
    expect(owned).toBeOwnedBy(note);
    expect(owned).toBeOwnedBy(note, { controller: true });
    expect(owned).toBeTerminating();
    expect(events).toHaveEvent('Made');
    expect(events).toHaveEvent({ type: 'Normal', message: /note/ });
    expect([{ type: 'Warning', reason: 'Lost', note: 'all' }]).toHaveEvent({ type: 'Warning', message: 'all' });
  });

  test('do not hold where not', () => {
    expect(note).not.toHaveCondition('Ready', false);
    expect(note).not.toHaveCondition('Ready', { reason: 'Other' });
    expect(note).not.toHaveCondition('Done');
    expect(note).not.toHaveFinalizer();
    expect(owned).not.toHaveFinalizer('b.example/f');
    expect(note).not.toBeOwnedBy(owned);
    expect(owned).not.toBeOwnedBy(note, { controller: false });
    expect(note).not.toBeTerminating();
    expect(events).not.toHaveEvent('Lost');
    expect(events).not.toHaveEvent({ type: 'Warning', reason: 'Made' });
  });

  test('say what was found', () => {
    expect(() => expect(note).toHaveCondition('Ready', false)).toThrow(
      /condition Ready with \{ status: 'False' \}.*Written/s,
    );
    expect(() => expect(note).toHaveCondition('Done')).toThrow(/found: \[.*Ready/s);
    expect(() => expect(note).toHaveFinalizer('f')).toThrow('to have the finalizer f; found: []');
    expect(() => expect(note).not.toHaveCondition('Ready')).toThrow('expected the object not to have');
    expect(() => expect(events).toHaveEvent('Lost')).toThrow(/an event like \{ reason: 'Lost' \}.*Made/s);
  });

  test('refuse what they cannot judge', () => {
    expect(() => expect(undefined).toHaveFinalizer()).toThrow('An object with metadata is expected');
    expect(() => expect({}).not.toHaveEvent('Made')).toThrow('A list of events is expected');
    expect(() => expect(note).not.toBeOwnedBy({ metadata: { name: 'a' } })).toThrow('The owner has no uid');
  });
});
