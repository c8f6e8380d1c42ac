import { describe, expect, it } from 'vitest';
import { adopt } from '../../src/helpers/adopt.js';

const owner = {
  apiVersion: 'demo.example/v1',
  kind: 'Widget',
  metadata: { name: 'a', namespace: 'ns', uid: 'u1', resourceVersion: '1', labels: { app: 'x', tier: 'y' } },
} as const;
const reference = { apiVersion: 'demo.example/v1', kind: 'Widget', name: 'a', uid: 'u1' };

describe('a child', () => {
  it('takes over owner, namespace, labels and the beginning of a name', () => {
    const child = { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } };
    expect(adopt(owner, child)).toEqual({
      ...child,
      metadata: {
        generateName: 'a-',
        namespace: 'ns',
        labels: { app: 'x', tier: 'y' },
        ownerReferences: [{ ...reference, controller: true }],
      },
    });
    expect(child).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } });
  });

  it('keeps what it says itself, and its other owners', () => {
    const other = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u2' };
    const metadata = {
      name: 'mine',
      labels: { app: 'own' },
      ownerReferences: [other, { ...reference, controller: true }],
    };
    const options = { controller: false, blockOwnerDeletion: true, labels: ['tier'] };
    expect(adopt(owner, { metadata }, options).metadata).toEqual({
      name: 'mine',
      namespace: 'ns',
      labels: { tier: 'y', app: 'own' },
      ownerReferences: [other, { ...reference, blockOwnerDeletion: true }],
    });
  });

  it('of a cluster-scoped owner may be in any namespace', () => {
    const { namespace: _namespace, ...metadata } = owner.metadata;
    const child = adopt({ ...owner, metadata }, { metadata: { name: 'c', namespace: 'any' } }, { labels: 'none' });
    expect(child.metadata).toMatchObject({ name: 'c', namespace: 'any' });
    expect(child.metadata).not.toHaveProperty('labels');
  });

  it('is refused in another namespace than its owner', () => {
    expect(() => adopt(owner, { metadata: { namespace: 'other' } })).toThrow(RangeError);
  });
});
