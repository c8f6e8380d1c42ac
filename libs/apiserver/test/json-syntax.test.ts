import { describe, expect, it } from 'vitest';
import { jsonSyntaxError } from '../src/json-syntax.js';
import { seeded } from './support/seeded.js';

describe('the words about a text that is not JSON', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['{bad', "invalid character 'b' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-', "invalid character ' ' in numeric literal"],
    ['[nul', "invalid character ' ' in literal null (expecting 'l')"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
  ])('%j', (text, words) => {
    expect(jsonSyntaxError(text)).toBe(words);
  });

  it('are there for every text that the parser refuses, and for no other', () => {
    const random = seeded(7);
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00e9',
      '1',
      '-0',
      '01',
      '.5',
      'e3',
      'true',
      'nul',
      ' ',
      '\u0001',
    ];
    let refused = 0;
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 9) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        // The parser's own words differ; only that it refuses counts.
        valid = false;
        refused++;
      }
      expect(jsonSyntaxError(text) === undefined, text).toBe(valid);
    }
    expect(refused).toBeGreaterThan(1000);
    expect(refused).toBeLessThan(20_000);
  });

  it('come for texts nested as deep as one likes', () => {
    expect(jsonSyntaxError('['.repeat(1_000_000))).toBe('unexpected end of JSON input');
  });
});
