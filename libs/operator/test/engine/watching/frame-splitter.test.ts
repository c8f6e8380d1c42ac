import { describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../../src/engine/watching/frame-splitter.js';

function split(bytes: Uint8Array, chunk: number): string[] {
  const splitter = new FrameSplitter();
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += chunk) {
    lines.push(...splitter.push(bytes.subarray(start, start + chunk)));
  }
  return lines;
}

const odd = [
  JSON.stringify({
    emoji: '👩‍🚀',
    combining: 'é',
    rightToLeft: 'שלום',
    separators: '\u2028\u2029\u0085',
    mark: '\uFEFF',
  }),
  '\uFEFF{"starts":"with a mark"}',
  '{"carriage":"return"}\r',
  '',
  '\u2028',
];

describe('FrameSplitter', () => {
  it.each([1, 2, 3, 7, 4_096, 1_000_000])('cuts at line feeds only, whatever the chunks: %i bytes', (chunk) => {
    expect(split(Buffer.from(odd.map((line) => `${line}\n`).join('')), chunk)).toEqual(odd);
  });

  it('holds back a line that has not ended, and says how much of it there is', () => {
    const splitter = new FrameSplitter();
    expect([...splitter.push(Buffer.from('{"a":1}\n{"b"'))]).toEqual(['{"a":1}']);
    expect(splitter.pendingBytes).toBe(4);
    expect([...splitter.push(Buffer.from(':2}\n'))]).toEqual(['{"b":2}']);
    expect(splitter.pendingBytes).toBe(0);
  });

  it('does not depend on what becomes of a chunk afterwards', () => {
    const splitter = new FrameSplitter();
    const chunk = Buffer.from('{"a":');
    expect([...splitter.push(chunk)]).toEqual([]);
    chunk.fill(0);
    expect([...splitter.push(Buffer.from('1}\n'))]).toEqual(['{"a":1}']);
  });

  it('takes linear time for a line of 32 MB in small chunks', () => {
    const whole = new Uint8Array(32 * 1024 * 1024).fill(0x61);
    whole[whole.length - 1] = 0x0a;
    const started = performance.now();
    const lines = split(whole, 512);
    expect(lines.map((line) => line.length)).toEqual([whole.length - 1]);
    // Joining on each chunk would copy some 10^12 bytes.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
