// @ts-check
// Keeps docs/checks.md and the titles of the tests together. Run by itself, it fills the last column in.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const page = 'docs/checks.md';

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
  const proven = parseRows(after).filter((row) => row.proof.startsWith('`')).length;
  console.log(`${proven} of ${parseRows(after).length} numbers are proven`);
}
