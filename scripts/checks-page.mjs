// @ts-check
// Keeps docs/checks.md, docs/fault-scenarios.md and the titles of the tests together. Run by itself, it fills the last
// column of the first in, and writes the second.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const page = 'docs/checks.md';
export const scenariosPage = 'docs/fault-scenarios.md';

/** Where each fault scenario has to be seen, from FS-01 on. */
const levels = 'PFFFFFPPFFFFRRRRRRRRRRFFFFRRRFFRPRRFFFPR';

/** Fixtures are other programs, and the tests of this folder speak about numbers without proving them. */
const skipped = new Set(['node_modules', 'dist', 'fixtures', 'repo']);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesBelow(join(folder, entry.name));
      return entry.name.endsWith('.ts') ? [join(folder, entry.name)] : [];
    });
}

/**
 * The numbers at the start of a string, each with the files it stands in.
 *
 * @param {string} root
 * @returns {Map<string, string[]>}
 */
export function findNumberedTests(root) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const folders = [join(root, 'test')];
  for (const group of ['libs', 'apps']) {
    for (const name of readdirSync(join(root, group))) folders.push(join(root, group, name, 'test'));
  }
  for (const file of folders.flatMap((folder) => tryToRead(folder))) {
    const path = relative(root, file).split(sep).join('/');
    const numbers = new Set();
    for (const [titleStart] of readFileSync(file, 'utf8').matchAll(/["'`](?:\[(?:AC|TC|FS)-\d{2}\]\s*)+/g)) {
      for (const [number] of titleStart.matchAll(/(?:AC|TC|FS)-\d{2}/g)) numbers.add(number);
    }
    for (const number of numbers) found.set(number, [...(found.get(number) ?? []), path]);
  }
  return found;
}

/** @param {string} folder */
function tryToRead(folder) {
  try {
    return sourcesBelow(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * @typedef {{ number: string, meaning: string, proof: string }} Row
 * @param {string} text
 * @returns {Row[]}
 */
export function parseRows(text) {
  return [...text.matchAll(/^\| ((?:AC|TC|FS)-\d{2}) \| (.+?) \| (.+?) \|$/gm)].map(
    ([, number = '', meaning = '', proof = '']) => ({ number, meaning, proof }),
  );
}

/** @param {readonly string[]} files */
export function proofOf(files) {
  return files.map((file) => `\`${file}\``).join(', ');
}

/**
 * The page of fault scenarios, from the rows of the checks.
 *
 * @param {readonly Row[]} rows
 */
export function scenariosText(rows) {
  const scenarios = rows.filter(({ number }) => number.startsWith('FS-'));
  const lines = scenarios.map(({ number, meaning, proof }, index) => {
    const tests = proof.replaceAll(/`([^`]+)`/g, '[$1](../$1)');
    return `| ${number} | ${levels[index]} | ${meaning} | ${tests} |`;
  });
  return `# Fault scenarios

What an operator has to live through, and the tests that show it. The level says what a scenario has to be seen on:

- **F**: the embedded API server, on a virtual clock;
- **R**: a real kube-apiserver with etcd. The suites in \`test/e2e/suite\` run on both servers: as part of \`npm test\` on
  the embedded one, and from \`test/cluster\` on the real one;
- **P**: a proxy that cuts, holds or delays what goes between an operator and a real server.

A test outside of these folders shows its scenario on the embedded server. \`npm run checks:update\` writes this page from
[the checks](checks.md).

<!-- prettier-ignore -->
| number | level | what it means | shown by |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const found = findNumberedTests(root);
  const before = readFileSync(join(root, page), 'utf8');
  const after = before.replace(
    /^(\| ((?:AC|TC|FS)-\d{2}) \| .+? \| )(.+?) \|$/gm,
    (line, /** @type {string} */ head, /** @type {string} */ number, /** @type {string} */ proof) => {
      const files = found.get(number);
      if (files !== undefined) return `${head}${proofOf(files)} |`;
      return proof.startsWith('`') ? `${head}not yet: say which part is missing |` : line;
    },
  );
  writeFileSync(join(root, page), after);
  writeFileSync(join(root, scenariosPage), scenariosText(parseRows(after)));
  const proven = parseRows(after).filter((row) => row.proof.startsWith('`')).length;
  console.log(`${proven} of ${parseRows(after).length} numbers are proven`);
}
