import { beforeEach, describe, expect, it } from 'vitest';
import { storeRig, widget, type StoreRig } from './support.js';

let rig: StoreRig;

beforeEach(() => {
  rig = storeRig();
  rig.list([], 1);
  rig.store.observe('ADDED', widget({ version: 10, spec: 'a' }), undefined);
  rig.news();
});

describe('an own write that the watch shows before its answer comes', () => {
  const base = widget({ version: 10, spec: 'a' });
  const own = widget({ version: 11, spec: 'b' });
  const answer = (written: unknown): string => rig.store.writeThrough(own, { base, written });

  it('is recognized by the answer, once', () => {
    rig.store.observe('MODIFIED', own, undefined);
    expect(answer({ spec: 'b' })).toBe('dropped');
    expect(answer({ spec: 'b' })).toBe('dropped');
    expect(rig.news()).toEqual(['modified ns/a@11', 'recognized ns/a@11']);
  });

  it('stays a change when the answer shows more than what the write set', () => {
    rig.store.observe('MODIFIED', own, undefined);
    expect(answer({})).toBe('dropped');
    expect(rig.news()).toEqual(['modified ns/a@11']);
  });

  it('stays a change when somebody else wrote in between, or since', () => {
    rig.store.observe('MODIFIED', widget({ version: 11, spec: 'b' }), undefined);
    rig.store.observe('MODIFIED', widget({ version: 12, spec: 'c' }), undefined);
    expect(answer({ spec: 'b' })).toBe('dropped');
    const later = widget({ version: 12, spec: 'c' });
    expect(rig.store.writeThrough(later, { base, written: { spec: 'c' } })).toBe('dropped');
    expect(rig.news()).toEqual(['modified ns/a@11', 'modified ns/a@12']);
  });

  it('is nothing to recognize when the answer comes first', () => {
    expect(answer({ spec: 'b' })).toBe('stored');
    rig.store.observe('MODIFIED', own, undefined);
    expect(rig.news()).toEqual(['modified ns/a@11']);
  });
});
