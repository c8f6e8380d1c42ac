import { describe, expect, it } from 'vitest';
import { DueHeap, type DueEntry } from '../../../src/engine/queueing/due-heap.js';
import { pseudoRandom } from './support.js';

describe('DueHeap', () => {
  it('gives entries by due time, whatever was added, moved and removed in between', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = pseudoRandom(seed);
      const heap = new DueHeap<DueEntry>();
      const model = new Set<DueEntry>();
      for (let step = 0; step < 400; step += 1) {
        const known = [...model];
        const some = known[Math.floor(random() * known.length)];
        const dice = random();
        if (some === undefined || dice < 0.5) {
          const entry = { due: Math.floor(random() * 100), heapIndex: -1 };
          model.add(entry);
          heap.put(entry);
        } else if (dice < 0.75) {
          some.due = Math.floor(random() * 100);
          heap.put(some);
        } else {
          model.delete(some);
          heap.remove(some);
          expect(some.heapIndex).toBe(-1);
        }
        expect(heap.size).toBe(model.size);
        expect(heap.peek()?.due).toBe(model.size === 0 ? undefined : Math.min(...[...model].map(({ due }) => due)));
      }
      const drained: number[] = [];
      for (let next = heap.peek(); next !== undefined; next = heap.peek()) {
        drained.push(next.due);
        heap.remove(next);
      }
      expect(drained).toEqual([...model].map(({ due }) => due).toSorted((a, b) => a - b));
    }
  });

  it('ignores the removal of an entry that it does not hold', () => {
    const heap = new DueHeap<DueEntry>();
    const held = { due: 1, heapIndex: -1 };
    heap.put(held);
    heap.remove({ due: 1, heapIndex: -1 });
    expect(heap.peek()).toBe(held);
  });
});
