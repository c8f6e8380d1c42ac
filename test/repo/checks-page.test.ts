import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findNumberedTests,
  page,
  parseRows,
  proofOf,
  scenariosPage,
  scenariosText,
} from '../../scripts/checks-page.mjs';

const root = join(import.meta.dirname, '../..');
const rows = parseRows(readFileSync(join(root, page), 'utf8'));
const found = findNumberedTests(root);

const numbers = (series: string, last: number, gaps: readonly number[] = []): string[] =>
  Array.from({ length: last }, (_, index) => index + 1)
    .filter((each) => !gaps.includes(each))
    .map((each) => `${series}-${String(each).padStart(2, '0')}`);

describe('docs/checks.md', () => {
  it('has one row for each founding check and each fault scenario', () => {
    expect(rows.map((row) => row.number).filter((number) => number.startsWith('AC'))).toEqual(numbers('AC', 30));
    expect(rows.map((row) => row.number).filter((number) => number.startsWith('FS'))).toEqual(numbers('FS', 40));
  });

  it('has one row for each trial case', () => {
    const gaps = [3, 6, 9, 13, 16, 20, 22, 25, 29, 33, 36, 40, 42, 45, 48, 50, 52, 54, 56, 58, 61, 64, 69];
    expect(rows.map((row) => row.number).filter((number) => number.startsWith('TC'))).toEqual(numbers('TC', 72, gaps));
  });

  it('says in one sentence what each number means', () => {
    for (const { number, meaning } of rows) expect(meaning, number).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('names exactly the files whose test titles start with the number, or the part that is missing', () => {
    const said = Object.fromEntries(rows.map(({ number, proof }) => [number, proof]));
    const held = Object.fromEntries(
      rows.map(({ number, proof }) => {
        const files = found.get(number);
        if (files !== undefined) return [number, proofOf(files)];
        return [number, /^not yet: (?!say which).+/.test(proof) ? proof : 'not yet: …'];
      }),
    );
    expect(said, 'run `npm run checks:update`').toEqual(held);
  });

  it('is what the page of fault scenarios says', () => {
    expect(readFileSync(join(root, scenariosPage), 'utf8'), 'run `npm run checks:update`').toBe(scenariosText(rows));
  });

  it('knows every number that a test title starts with', () => {
    const known = new Set(rows.map((row) => row.number));
    expect([...found.keys()].filter((number) => !known.has(number))).toEqual([]);
  });
});
