import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const source = new URL('../../src/', import.meta.url);
const statement = /^(?:import|export)\s(?!type\b)[^;]*?\sfrom\s+'(\.[^']+)\.js'/gm;

/** The files that are loaded with a file. */
function loaded(start: string): Set<string> {
  const seen = new Set<string>();
  const visit = (file: URL): void => {
    const path = file.href.slice(source.href.length);
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, to] of readFileSync(file, 'utf8').matchAll(statement)) visit(new URL(`${to!}.ts`, file));
  };
  visit(new URL(start, source));
  return seen;
}

it('a server without rules does not load what evaluates them', () => {
  const files = [...loaded('index.ts')];
  expect(files).toContain('pipeline/admission.ts');
  const heavy = files.filter((file) => /^cel\/(checker|cost|runtime|syntax|types|compile)/.test(file));
  expect(heavy).toEqual([]);
  expect(loaded('cel/rules/rule-library.ts')).toContain('cel/checker/checker.ts');
});
