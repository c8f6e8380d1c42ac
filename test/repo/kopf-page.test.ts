import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.js';

interface Row {
  readonly section: string;
  readonly cells: readonly string[];
}

const page = readFileSync(join(root, 'docs/coming-from-kopf.md'), 'utf8');

/** The rows of all tables, heads and rules aside. */
function rowsOf(text: string): Row[] {
  return text.split(/^## /m).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n');
    return lines
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((cell) => cell.trim()),
      )
      .slice(2)
      .map((cells) => ({ section, cells }));
  });
}

/** What stands in the last cell: links to tests, or the part that is missing. */
function proofOf({ cells }: Row): { readonly links: string[]; readonly missing: string | undefined } {
  const last = cells.at(-1) ?? '';
  return {
    links: [...last.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => posix.join('docs', target)),
    missing: /^_still to come_: (.+)$/.exec(last)?.[1],
  };
}

const rows = rowsOf(page);
const examples = rows.filter(({ section }) => section === "Kopf's examples");

describe('the page for those who come from Kopf', () => {
  it('has rows for every part of Kopf', () => {
    const text = page.toLowerCase();
    const parts = [
      'handlers',
      'filters',
      'outcomes',
      'daemons',
      'timers',
      'indexes',
      'subhandler',
      'startup',
      'cleanup',
    ];
    const more = ['storages', 'settings', 'memo', 'patch', 'adopt', 'kopf.event', 'kopfrunner', 'peering', 'validate'];
    const rest = [
      'kopf run',
      'login',
      'liveness',
      'probe',
      'embedding',
      'everything',
      'namespaces',
      'logging',
      'metrics',
    ];
    expect([...parts, ...more, ...rest].filter((part) => !text.includes(part))).toEqual([]);
    expect(rows.length).toBeGreaterThan(80);
  });

  it('backs each row with tests that exist, or names the part that is still to come', () => {
    const bad = rows.flatMap((row) => {
      const { links, missing } = proofOf(row);
      const isTest = (path: string): boolean =>
        /\.(test|suite|feature)\.ts$/.test(path) && existsSync(join(root, path));
      const holds = missing === undefined ? links.length > 0 && links.every(isTest) : links.length === 0;
      return holds ? [] : [`${row.section}: ${row.cells[0]}: ${row.cells.at(-1)}`];
    });
    expect(bad).toEqual([]);
  });

  it('has rows of equal length, with something in each cell, and each feature once', () => {
    for (const { section, cells } of rows) {
      expect(cells, cells[0]).toHaveLength(section === "Kopf's examples" ? 3 : 4);
      expect(
        cells.filter((cell) => cell === ''),
        cells[0],
      ).toEqual([]);
    }
    const names = rows.map(({ section, cells }) => `${section}: ${cells[0]}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index && !name.endsWith('none'))).toEqual([]);
  });

  it('shows each example of Kopf as a feature of its own, but those whose part is still to come', () => {
    const numbers = examples.map(({ cells }) => Number(cells[0]?.slice(0, 2)));
    expect(numbers).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
    const folders = readdirSync(join(root, 'test/features'));
    for (const row of examples) {
      const { links, missing } = proofOf(row);
      if (missing !== undefined) continue;
      const named = links.map((link) => /^test\/features\/([^/]+)\//.exec(link)?.[1]);
      expect(
        named.filter((name) => name === undefined || !folders.includes(name)),
        row.cells[0],
      ).toEqual([]);
    }
    const open = examples.filter((row) => proofOf(row).missing !== undefined).map(({ cells }) => cells[0]?.slice(0, 2));
    expect(['06', '17']).toEqual(expect.arrayContaining(open));
  });

  it('finds out a row without proof', () => {
    const table = '## Part\n\n| Kopf | here | difference | test |\n| --- | --- | --- | --- |\n';
    const [row] = rowsOf(`${table}| a \\| b | c | d | see above |\n`);
    expect(row?.cells).toEqual(['a \\| b', 'c', 'd', 'see above']);
    expect(row === undefined ? undefined : proofOf(row)).toEqual({ links: [], missing: undefined });
  });
});
