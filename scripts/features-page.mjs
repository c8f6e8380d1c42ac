// @ts-check
// Keeps the table of docs/features.md equal to the folders of test/features. Run by itself, it writes the table.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const page = 'docs/features.md';

const home = 'test/features';
const head = '| feature | what it shows | made with |\n| --- | --- | --- |\n';

/** What nearly every operator imports says nothing about one. */
const everywhere = new Set(['HandlerContext', 'ResourceHandlers', 'OperatorModule']);

/**
 * @typedef {{ name: string, operator: string, description: string, uses: string[], features: string[], tests: string[] }} Feature
 * @param {string} root
 * @returns {Feature[]}
 */
export function findFeatures(root) {
  return readdirSync(join(root, home), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const files = readdirSync(join(root, home, name)).sort();
      const features = files.filter((file) => file.endsWith('.feature.ts'));
      const [operator = ''] = [...files.filter((file) => file === 'operator.ts'), ...features].map(
        (file) => `${home}/${name}/${file}`,
      );
      const read = (/** @type {string} */ file) => readFileSync(join(root, home, name, file), 'utf8');
      return {
        name,
        operator,
        features,
        tests: files.filter((file) => file.endsWith('.test.ts')),
        description: features.map((file) => firstComment(read(file))).join(' '),
        uses: importedFrom(readFileSync(join(root, operator), 'utf8'), 'nestjs-operator'),
      };
    });
}

/**
 * The text of the first documentation comment.
 *
 * @param {string} code
 */
function firstComment(code) {
  const [, text = ''] = /\/\*\*(.*?)\*\//s.exec(code) ?? [];
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}

/**
 * Names that are imported as values.
 *
 * @param {string} code
 * @param {string} from
 */
function importedFrom(code, from) {
  const names = [...code.matchAll(/^import \{([^}]*)\} from '([^']+)';/gms)]
    .filter(([, , source]) => source === from)
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && !everywhere.has(name));
  return [...new Set(names)].sort();
}

/** @param {readonly Feature[]} features */
export function tableOf(features) {
  const rows = features.map(
    ({ name, operator, description, uses }) =>
      `| [${name}](../${operator}) | ${description} | ${uses.map((use) => `\`${use}\``).join(', ')} |\n`,
  );
  return head + rows.join('');
}

/**
 * The page with its table replaced.
 *
 * @param {string} text
 * @param {string} table
 */
export function withTable(text, table) {
  const start = text.indexOf(head);
  if (start === -1) throw new Error(`${page} has no table that begins with ${JSON.stringify(head)}`);
  const [old = ''] = /^(?:\|.*\n)*/.exec(text.slice(start)) ?? [];
  return text.slice(0, start) + table + text.slice(start + old.length);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const features = findFeatures(root);
  writeFileSync(join(root, page), withTable(readFileSync(join(root, page), 'utf8'), tableOf(features)));
  console.log(`${features.length} features`);
}
