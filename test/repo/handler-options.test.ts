import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.js';

const source = join(root, 'libs/operator/src/decorators/handler-options.ts');

/** The decorators and the interfaces of their options. */
const decorators: Readonly<Record<string, string>> = {
  '@OnCreate': 'OnCreateOptions',
  '@OnUpdate': 'OnUpdateOptions',
  '@OnField': 'OnFieldOptions',
  '@OnDelete': 'OnDeleteOptions',
  '@OnResume': 'OnResumeOptions',
  '@OnWatchEvent': 'OnWatchEventOptions',
  '@OnReconcile': 'OnReconcileOptions',
  '@Timer': 'TimerOptions',
  '@Daemon': 'DaemonOptions',
  '@ObjectIndex': 'ObjectIndexOptions',
  '@OnStartup': 'ActivityOptions',
  '@OnCleanup': 'ActivityOptions',
};
const steps = ['@OnStartup', '@OnCleanup'];
const changes = ['@OnCreate', '@OnUpdate', '@OnField', '@OnDelete', '@OnResume'];
const groups: Readonly<Record<string, readonly string[]>> = {
  'all handlers': Object.keys(decorators).filter((name) => !steps.includes(name)),
  changes,
  steps,
};

interface Option {
  readonly of: string[];
  readonly documented: boolean;
}

/** The options by name, as the types have them. */
function declaredOptions(): Map<string, Option> {
  const program = ts.createProgram([source], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const found = new Map<string, { of: string[]; documented: boolean }>();
  for (const [decorator, name] of Object.entries(decorators)) {
    const node = file?.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
    if (node === undefined) throw new Error(`${name} is not in ${source}`);
    for (const property of checker.getPropertiesOfType(checker.getTypeAtLocation(node))) {
      const option = found.get(property.name) ?? { of: [], documented: true };
      option.of.push(decorator);
      option.documented &&=
        (property.flags & ts.SymbolFlags.Optional) === 0 ||
        property.getJsDocTags(checker).some(({ name: tag }) => tag === 'defaultValue');
      found.set(property.name, option);
    }
  }
  return found;
}

/** The names of options that the decorators of a file are given. */
function optionsUsedIn(path: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isDecorator(node) && ts.isCallExpression(node.expression)) {
      for (const argument of node.expression.arguments.filter(ts.isObjectLiteralExpression)) {
        found.push(...argument.properties.map(({ name }) => name?.getText() ?? ''));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2023, true));
  return found;
}

interface Row {
  readonly name: string;
  readonly of: string[];
  readonly cells: readonly string[];
  readonly example: string;
}

function tableOf(page: string): Row[] {
  const [, section = ''] = page.split('\n## All options of handlers\n');
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| `\w+` \|/.test(line));
  return lines.map((line) => {
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    const of = (cells[1] ?? '').split(', ').flatMap((each) => groups[each] ?? [each.replaceAll('`', '')]);
    const example = /\(\.\.\/(.+)\)/.exec(cells[5] ?? '')?.[1] ?? '';
    return { name: (cells[0] ?? '').replaceAll('`', ''), of, cells, example };
  });
}

describe('the options of handlers', () => {
  const declared = declaredOptions();
  const rows = tableOf(readFileSync(join(root, 'docs/guide.md'), 'utf8'));

  it('are all in the guide, each for the decorators that have it', () => {
    expect(declared.size).toBeGreaterThan(30);
    const said = Object.fromEntries(rows.map(({ name, of }) => [name, of.toSorted()]));
    const held = Object.fromEntries([...declared].map(([name, { of }]) => [name, of.toSorted()]));
    expect(said).toEqual(held);
  });

  it('tell their defaults where they are declared', () => {
    expect([...declared].filter(([, { documented }]) => !documented).map(([name]) => name)).toEqual([]);
  });

  it.each(rows)('$name: value, default, meaning, and an example that uses it', ({ name, cells, example }) => {
    expect(cells).toHaveLength(6);
    expect(cells.filter((cell) => cell === '')).toEqual([]);
    expect(example).toMatch(/^test\/e2e\/guide\//);
    expect(optionsUsedIn(example)).toContain(name);
  });
});
