import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPackage } from '../../scripts/check-packages.mjs';

const manifest = {
  name: 'sample',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=22.19' },
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
  files: ['dist'],
  dependencies: { yaml: '^2.0.0' },
};

describe('the package check', { timeout: 120_000 }, () => {
  let folder = '';
  let scratch = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-check-'));
    scratch = join(folder, 'scratch');
    mkdirSync(scratch);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const check = async (files: Readonly<Record<string, string>>, changes: object = {}): Promise<string[]> => {
    const lib = join(folder, 'lib');
    for (const [path, text] of Object.entries({
      'package.json': JSON.stringify({ ...manifest, ...changes }),
      LICENSE: 'MIT',
      'src/index.ts': '',
      'dist/index.js': `import { parse } from 'yaml';\nexport const a = parse;\n`,
      'dist/index.d.ts': `import { Document } from 'yaml';\nexport declare const a: (text: string) => Document;\n`,
      ...files,
    })) {
      mkdirSync(dirname(join(lib, path)), { recursive: true });
      writeFileSync(join(lib, path), text);
    }
    return (await checkPackage(lib, scratch)) as string[];
  };

  it('passes a package that is right', async () => {
    expect(await check({})).toEqual([]);
  });

  it('lists everything that is wrong with one that is not', async () => {
    const problems = await check(
      {
        'dist/.tsbuildinfo': '{}',
        'dist/index.test.js': '',
        'dist/gone.js': 'export {};\n',
        'src/index.test.ts': '',
        'dist/index.js': `import 'undici';\nexport { b } from './b.js';\n`,
        'dist/index.d.ts': `export * from '../src/index.js';\nexport type A = import('express').Request;\n`,
      },
      {
        sideEffects: true,
        exports: { ...manifest.exports, './b': { types: './dist/b.d.ts', default: './dist/b.js' } },
      },
    );
    const expected = [
      'dist/.tsbuildinfo does not belong in the package',
      'dist/index.test.js does not belong in the package',
      'dist/gone.js has no source any more: remove dist and build again',
      'package.json must say "sideEffects": false',
      'dist/index.js imports undici, which package.json does not name',
      'dist/index.js imports ./b.js, which is not in the package',
      'dist/index.d.ts imports ../src/index.js, which is not in the package',
      'dist/index.d.ts imports express, which package.json does not name',
    ];
    expect(problems).toEqual(expect.arrayContaining(expected));
    expect(problems.some((each) => each.startsWith('publint: ') && each.includes('dist/b.js'))).toBe(true);
    expect(problems.find((each) => each.startsWith('attw:'))).toMatch(/"sample\/b"[^*]+Resolution failed/);
  });
});
