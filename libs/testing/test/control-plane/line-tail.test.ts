import { describe, expect, it } from 'vitest';
import { LineTail } from '../../src/control-plane/line-tail.js';

describe('the last lines', () => {
  it('are kept across chunks, empty ones left out, the oldest dropped first', () => {
    const tail = new LineTail(3);
    for (const chunk of ['on', 'e\ntwo\n\n', 'three\nfo', 'ur\nfive']) tail.push(chunk);
    expect(tail.lines).toEqual(['two', 'three', 'four', 'five']);
  });
});
