import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { causeChain, ensureError, renderCauseChain } from '../../../src/engine/supervision/cause-chain.js';

const render = (error: unknown): string[] => renderCauseChain(error, { stacks: false }).split('\n');

describe('ensureError', () => {
  it('keeps errors as they are, those of other realms too', () => {
    const error = new Error('boo');
    const foreign: unknown = runInNewContext('new TypeError("foreign")');
    expect(ensureError(error)).toBe(error);
    expect(ensureError(foreign)).toBe(foreign);
  });

  it.each([
    ['text', '"text"'],
    [7, '7'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('s'), 'Symbol(s)'],
    [{ token: 'secret' }, 'an object of type Object'],
    [Object.create(null), 'an object'],
    [() => 'secret', 'a function'],
  ])('stands in for %o without showing what is inside', (thrown, description) => {
    const error = ensureError(thrown);
    expect(error).toMatchObject({ code: 'OPERATOR_THROWN_VALUE' });
    expect(error.message).toContain(`was thrown: ${description}.`);
    expect(error.message).not.toContain('secret');
  });
});

describe('causeChain', () => {
  it('follows causes and ends in cycles', () => {
    const inner = new Error('inner');
    const outer = new Error('outer', { cause: inner });
    expect(causeChain(outer)).toEqual([outer, inner]);
    inner.cause = outer;
    expect(causeChain(outer)).toEqual([outer, inner]);
  });
});

describe('renderCauseChain', () => {
  it('shows name, code and message of each link', () => {
    const chain = new FatalError('outer', { cause: new TypeError('middle', { cause: 'a string' }) });
    expect(render(chain)).toEqual([
      'FatalError [OPERATOR_FATAL]: outer',
      'Caused by: TypeError: middle',
      'Caused by: (not an Error) "a string"',
    ]);
  });

  it('shows the frames of each link, and its message once', () => {
    const text = renderCauseChain(new Error('outer', { cause: new Error('inner') }));
    expect(text.match(/ {4}at .*cause-chain\.test/g)!.length).toBeGreaterThanOrEqual(2);
    expect(text.match(/outer/g)).toHaveLength(1);
    expect(text.match(/inner/g)).toHaveLength(1);
  });

  it('shows the members of an AggregateError with their causes', () => {
    const error = new AggregateError([new Error('one', { cause: new Error('root') }), 'two'], 'both', {
      cause: new Error('above'),
    });
    expect(render(error)).toEqual([
      'AggregateError: both',
      '  [1 of 2] Error: one',
      '  Caused by: Error: root',
      '  [2 of 2] (not an Error) "two"',
      'Caused by: Error: above',
    ]);
  });

  it('ends in cycles, through causes and members', () => {
    const inner = new Error('inner');
    const outer = new AggregateError([inner], 'outer', { cause: inner });
    inner.cause = outer;
    expect(render(outer)).toEqual([
      'AggregateError: outer',
      '  [1 of 1] Error: inner',
      '  Caused by: [already shown: AggregateError: outer]',
      'Caused by: [already shown: Error: inner]',
    ]);
  });

  it('bounds what it shows of endless chains and long messages', () => {
    let chain = new Error('end');
    for (let link = 0; link < 1_000; link += 1) chain = new Error(`link ${link}`, { cause: chain });
    expect(render(chain)).toHaveLength(65);
    expect(render(chain).at(-1)).toBe('Caused by: [more errors left out]');
    expect(render(new Error('x'.repeat(5_000)))[0]!.length).toBeLessThan(2_100);
  });

  it('shows no property that could hold a body, and survives getters that throw', () => {
    const error = Object.assign(new Error('refused'), { body: 'secret', response: { headers: 'secret' } });
    const hostile = Object.defineProperties(new Error('hostile', { cause: error }), {
      name: {
        get() {
          throw new Error('no name');
        },
      },
    });
    expect(render(hostile)).toEqual(['Error: hostile', 'Caused by: Error: refused']);
    expect(renderCauseChain(hostile)).not.toContain('secret');
  });
});
