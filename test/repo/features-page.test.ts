import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFeatures, page, tableOf, withTable } from '../../scripts/features-page.mjs';
import { root } from './source-files.js';

const features = findFeatures(root);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('docs/features.md', () => {
  it('lists the folders of test/features as they are', () => {
    expect(features.length).toBeGreaterThan(15);
    expect(read(page), 'run `npm run features:update`').toBe(withTable(read(page), tableOf(features)));
  });

  it('replaces its table and nothing else', () => {
    const before = read(page);
    const after = withTable(before, tableOf(features.slice(0, 1)));
    expect(after.split('\n').filter((line) => line.startsWith('| ['))).toHaveLength(1);
    expect(after.split('\n| feature')[0]).toBe(before.split('\n| feature')[0]);
  });

  it.each(features)(
    '$name: says in a sentence what it shows, and runs on both servers',
    ({ name, description, uses, ...files }) => {
      expect(description).toMatch(/^[A-Z].{20,}\.$/);
      expect(uses).not.toEqual([]);
      expect(files.features).not.toEqual([]);
      for (const world of ['createEmbedded', 'createReal']) {
        const runs = files.tests
          .map((file) => read(`test/features/${name}/${file}`))
          .filter((code) => code.includes(world));
        for (const feature of files.features) {
          const from = `from './${feature.replace(/ts$/, 'js')}'`;
          expect(runs.filter((code) => code.includes(from)).length, `${feature}, ${world}`).toBeGreaterThan(0);
        }
      }
    },
  );
});
