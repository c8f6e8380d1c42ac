import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles, root } from './source-files.js';

const files = repositoryFiles();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/'));
const manifests = files.filter((path) => /^(libs|apps)\/[^/]+\/package\.json$|^package\.json$/.test(path));

describe('the documents', () => {
  it('link only to what exists', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => posix.join(dirname(page), target))
        .filter((target) => !existsSync(join(root, target)))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('list every design note', () => {
    const notes = files.filter((path) => /^docs\/design\/(?!README\.md$)[^/]+\.md$/.test(path));
    expect(notes.length).toBeGreaterThan(0);
    const index = read('docs/design/README.md');
    expect(notes.filter((path) => !index.includes(`(${posix.basename(path)})`))).toEqual([]);
  });

  it('give a reason for every dependency', () => {
    const page = read('docs/design/dependencies.md');
    const names = manifests.flatMap((path) => {
      const manifest = JSON.parse(read(path)) as Record<string, Record<string, string> | undefined>;
      return ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'].flatMap((kind) =>
        Object.keys(manifest[kind] ?? {}),
      );
    });
    const ours = /^(nestjs-operator$|@nestjs-operator\/)/;
    const types = /^@types\//;
    const lacking = [...new Set(names)].filter(
      (name) => !ours.test(name) && !types.test(name) && !page.includes(`\`${name}\``),
    );
    expect(lacking).toEqual([]);
  });

  it('name only scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g)].map(([, name = '']) => `${page}: ${name}`),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !((each.split(': ')[1] ?? '') in scripts))).toEqual([]);
  });
});
