import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './source-files.js';

/** Packages that an application with an operator usually imports in the same files; the installed ones are read. */
const installed = ['@nestjs/common', '@nestjs/core', '@nestjs/microservices', '@nestjs/testing', 'rxjs'];

/** The rest is a list of what they exported at the given version, names separated by blanks. */
const listed = JSON.parse(readFileSync(join(root, 'test/repo/foreign-exports.json'), 'utf8')) as Record<
  string,
  { version: string; names: string }
>;

interface EntryPoint {
  readonly specifier: string;
  readonly file: string;
}

function entryPoints(library: string): EntryPoint[] {
  const manifest = JSON.parse(readFileSync(join(root, 'libs', library, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | Record<string, string>>;
  };
  return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
    const source = typeof target === 'string' ? undefined : target['nestjs-operator-source'];
    return source === undefined
      ? []
      : [{ specifier: `${manifest.name}${subpath.slice(1)}`, file: join(root, 'libs', library, source) }];
  });
}

/** What applications import. `/engine` and `/internal` are for those who build on the parts; their names serve that. */
const entries = ['operator', 'testing']
  .flatMap(entryPoints)
  .filter(({ specifier }) => !/\/(engine|internal)$/.test(specifier));

/** Names that an entry point exports. No `export *` is among them: the design rules refuse it. */
function ownExports(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (clause && ts.isNamedExports(clause)) return clause.elements.map((element) => element.name.text);
      return clause ? [clause.name.text] : [];
    }
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((each) => each.kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!exported) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
    }
    return 'name' in statement ? [(statement.name as ts.Identifier).text] : [];
  });
}

/** Values and types that installed packages export. */
function foreignExports(specifiers: readonly string[]): Map<string, Set<string>> {
  const virtual = join(root, 'test/repo/all-imports.ts');
  const all = specifiers.map((each, index) => `import * as m${index} from '${each}';`).join('\n');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    noLib: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === virtual
      ? ts.createSourceFile(name, all, {
          languageVersion: ts.ScriptTarget.ES2023,
          impliedNodeFormat: ts.ModuleKind.ESNext,
        })
      : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === virtual || fileExists.call(host, name);
  host.readFile = (name) => (name === virtual ? all : readFile.call(host, name));
  const program = ts.createProgram([virtual], options, host);
  const checker = program.getTypeChecker();
  const found = new Map<string, Set<string>>();
  for (const statement of program.getSourceFile(virtual)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const symbol = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const names = symbol ? checker.getExportsOfModule(symbol).map((each) => each.name) : [];
    found.set(statement.moduleSpecifier.text, new Set(names));
  }
  return found;
}

describe('the names that the packages export', () => {
  let names = new Map<string, Set<string>>();

  // Reads thousands of declarations; on a busy machine that takes its time.
  beforeAll(() => {
    names = foreignExports(installed);
  }, 120_000);

  it('are compared with whole packages', () => {
    for (const name of installed) expect(names.get(name)?.size ?? 0, name).toBeGreaterThan(10);
    for (const [name, known] of [
      ['@nestjs/common', 'Logger'],
      ['@nestjs/common', 'DynamicModule'],
      ['rxjs', 'Observable'],
    ] as const) {
      expect([...(names.get(name) ?? [])]).toContain(known);
    }
    expect(listed['typeorm']?.names.split(' ')).toContain('Index');
  });

  it.each(entries)('of $specifier are not those of another package in the same application', ({ file }) => {
    const own = ownExports(file);
    expect(own.length).toBeGreaterThan(0);
    const others: [string, Set<string>][] = [
      ...installed.map((name): [string, Set<string>] => [name, names.get(name) ?? new Set()]),
      ...Object.entries(listed).map(([name, each]): [string, Set<string>] => [name, new Set(each.names.split(' '))]),
    ];
    const clashes = others.flatMap(([name, taken]) =>
      own.filter((each) => taken.has(each)).map((each) => `${each} of ${name}`),
    );
    expect(clashes).toEqual([]);
  });
});
