import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { librarySources, repositoryFiles, root } from './source-files.js';

const files = repositoryFiles().filter((path) => statSync(join(root, path)).isFile());
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const isText = (path: string): boolean => !/\.(png|jpg|ico|gz|tgz|pem|der|p12)$/.test(path);

/** Where a pattern occurs, as `path:line: match`. */
function occurrences(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => {
        const match = pattern.exec(line);
        return match ? [`${path}:${index + 1}: ${match[0]}`] : [];
      }),
  );
}

/** Calls such as `it.only(…)`, `describe.skip(…)`, `test.each(…).todo`, `it(…, { skip: true })`. */
function heldBackTests(path: string, code: string): string[] {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const modifiers = new Set(['only', 'skip', 'todo', 'fails', 'skipIf', 'runIf']);
  const runners = new Set(['it', 'test', 'describe', 'suite', 'bench']);
  const baseOf = (node: ts.Expression): string =>
    ts.isIdentifier(node)
      ? node.text
      : ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)
        ? baseOf(node.expression)
        : '';
  const report = (node: ts.Node): void => {
    found.push(
      `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().slice(0, 60)}`,
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && modifiers.has(node.name.text) && runners.has(baseOf(node.expression))) {
      report(node);
    }
    if (ts.isCallExpression(node) && runners.has(baseOf(node.expression))) {
      for (const argument of node.arguments) {
        if (!ts.isObjectLiteralExpression(argument)) continue;
        for (const property of argument.properties) {
          if (property.name && modifiers.has(property.name.getText())) report(property);
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Longest source file, in lines, before it has to be two things. Exceptions carry the reason why they are one. */
const longestSource = 400;
const longSources: Readonly<Record<string, string>> = {
  'libs/apiserver/src/protobuf/message-table.ts': 'a table that a script writes, with one message per line',
};

describe('the repository', () => {
  it('names no package registry and no download address', () => {
    const hosts = new RegExp(
      [
        'registry\\.(npmjs|yarnpkg)',
        'npm\\.pkg\\.github',
        'unpkg\\.',
        'jsdelivr\\.',
        'proxy\\.golang',
        'sum\\.golang',
      ].join('|'),
    );
    const others = files.filter((path) => isText(path) && path !== 'test/repo/repo-hygiene.test.ts');
    expect(occurrences(hosts, others)).toEqual([]);
  });

  it('has a lock file that installs from whatever registry npm is set to', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; link?: boolean; integrity?: string; inBundle?: boolean }>;
    };
    const entries = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter(([, each]) => !each.link && each.resolved !== undefined)).toEqual([]);
    expect(entries.filter(([, each]) => !each.link && !each.inBundle && each.integrity === undefined)).toEqual([]);
  });

  it('holds no absolute path of a machine', () => {
    const machine = /(?<![\w.~/$}-])\/(?:work|root|home(?!\/u(?:ser)?\b)|Users|tmp)\/[\w.-]+/;
    const others = files.filter((path) => isText(path) && path !== 'test/repo/repo-hygiene.test.ts');
    expect(occurrences(machine, others)).toEqual([]);
  });

  it('holds back no test', () => {
    const tests = files.filter((path) => /(^|\/)test\/.+\.ts$/.test(path));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.flatMap((path) => heldBackTests(path, read(path)))).toEqual([]);
  });

  it.each([
    `it.only('x', () => {});`,
    `describe.skip('x', () => {});`,
    `it.todo('x');`,
    `test.each([1]).skip('x', () => {});`,
    `test.skipIf(true)('x', () => {});`,
    `it('x', { skip: true }, () => {});`,
  ])('would notice %s', (code) => {
    expect(heldBackTests('sample.test.ts', code)).toHaveLength(1);
  });

  it('shows its two commands in the README, with nothing to do before them', () => {
    const commands = [...read('README.md').matchAll(/^\s*(npm (?:ci|install|start|test|run).*)$/gm)].map(
      ([, line]) => line,
    );
    expect(commands[0]).toBe('npm ci && npm start');
    expect(commands).toContain('npm ci && npm test');
  });

  it('has no source file that is two things', () => {
    const lines = (path: string): number => read(path).trimEnd().split('\n').length;
    const sources = [...librarySources(), ...files.filter((path) => /^apps\/[^/]+\/src\/.+\.ts$/.test(path))];
    const long = sources.filter((path) => lines(path) > longestSource);
    expect(long.filter((path) => !(path in longSources)).map((path) => `${path}: ${lines(path)} lines`)).toEqual([]);
    expect(Object.keys(longSources).filter((path) => !long.includes(path))).toEqual([]);
  });

  it('has sources named in kebab-case, with a suffix that tells the kind where there is one', () => {
    const names = files
      .filter((path) => /^(libs|apps|test)\/.+\.ts$/.test(path))
      .map((path) => path.split('/').at(-1) ?? '');
    expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.ts$/.test(name))).toEqual([]);
  });

  it('has a licence in every package that is published', () => {
    const packages = files.filter((path) => /^libs\/[^/]+\/package\.json$/.test(path));
    expect(packages.map((path) => files.includes(path.replace('package.json', 'LICENSE')))).toEqual(
      packages.map(() => true),
    );
  });
});
