import { describe, expect, it } from 'vitest';
import { regexpOf } from '../../src/cel/regexp/go-regexp.js';

describe('regular expressions', () => {
  it.each<[string, string, boolean]>([
    ['', 'abc', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^a.c$', 'abc', true],
    ['^a.c$', 'a\nc', false],
    ['(?s)^a.c$', 'a\nc', true],
    ['(?i)ABC', 'xabcx', true],
    ['(?i)straße', 'STRAẞE', true],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['a{2,3}$', 'aaaa', true],
    ['^a{2,3}$', 'aaaa', false],
    ['^(ab)*$', 'abab', true],
    ['^(ab)+?c', 'ababc', true],
    ['[[:alpha:]]+', '123', false],
    ['[^[:alpha:]]+', '123', true],
    [String.raw`^\d+$`, '٣', false],
    [String.raw`^\pN+$`, '٣', true],
    [String.raw`^\p{Greek}+$`, 'αβγ', true],
    [String.raw`^\P{Greek}+$`, 'abc', true],
    [String.raw`\bfoo\b`, 'a foo b', true],
    [String.raw`\Bfoo`, 'a foo b', false],
    [String.raw`^\Qa.b\E$`, 'a.b', true],
    [String.raw`^\Qa.b\E$`, 'axb', false],
    [String.raw`\x{1F600}`, '😀', true],
    [String.raw`^\x{00000000000000000041}$`, 'A', true],
    [String.raw`^.$`, '😀', true],
    [String.raw`\z`, 'a', true],
    ['(?P<name>a)(?<other>b)', 'ab', true],
    ['(?P<n>a)(?P<n>b)', 'ab', true],
    ['a|b|', 'x', true],
    ['[a-c-e]', '-', true],
    ['[]a]', ']', true],
  ])('%s on %j', (pattern, text, matches) => {
    expect(regexpOf(pattern).test(text)).toBe(matches);
  });

  it.each([
    ['(', 'missing closing ): `(`'],
    [')', 'unexpected ): `)`'],
    ['[', 'missing closing ]: `[`'],
    ['[b-a]', 'invalid character class range: `b-a`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['(a{1000}){1000}', 'invalid repeat count: `{1000}`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)', 'invalid named capture: `(?<!a)`'],
    ['(?<=a)b>', 'invalid named capture: `(?<=a)b>`'],
    ['(?i', 'invalid or unsupported Perl syntax: `(?i`'],
    [String.raw`(a)\1`, 'invalid escape sequence: `\\1`'],
    [String.raw`\C`, 'invalid escape sequence: `\\C`'],
    [String.raw`\x{110000}`, 'invalid escape sequence: `\\x{110000`'],
    [String.raw`\p{Nope}`, 'invalid character class range: `\\p{Nope}`'],
    [String.raw`a\q`, 'invalid escape sequence: `\\q`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
  ])('%s is none', (pattern, why) => {
    expect(() => regexpOf(pattern)).toThrow(`error parsing regexp: ${why}`);
  });

  it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(x+x+)+y', '(.*)*=', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    '%s takes time that grows with the text only',
    (pattern) => {
      const regexp = regexpOf(pattern);
      const start = performance.now();
      expect(regexp.test(`${'a'.repeat(30_000)}!`)).toBe(false);
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});
