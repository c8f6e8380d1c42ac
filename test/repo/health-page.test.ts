import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { livenessReasons, readinessReasons } from '../../libs/operator/src/engine/health/operator-health.js';
import { root } from './source-files.js';

const page = readFileSync(join(root, 'docs/health.md'), 'utf8');

/** The first cells of the table in a section, in order. */
function rows(section: string): string[] {
  const [, after = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = after.split('\n## ');
  return [...own.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = '']) => name);
}

function sourceOf(path: string): ts.SourceFile {
  const text = readFileSync(join(root, 'libs/operator/src', path), 'utf8');
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

/** The texts of a union, in order. */
function union(path: string, name: string): string[] {
  const found = sourceOf(path).statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
  if (found === undefined || !ts.isTypeAliasDeclaration(found) || !ts.isUnionTypeNode(found.type)) {
    throw new Error(`${path} has no union ${name}`);
  }
  return found.type.types.map((type) => {
    if (!ts.isLiteralTypeNode(type) || !ts.isStringLiteral(type.literal)) throw new Error(`${name} is not of texts`);
    return type.literal.text;
  });
}

/** The members of an interface. */
function members(path: string, name: string): string[] {
  const found = sourceOf(path).statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`${path} has no interface ${name}`);
  return found.members.map((member) => member.name?.getText() ?? '');
}

describe('docs/health.md', () => {
  it('has every reason against liveness and readiness', () => {
    expect(rows('Against liveness')).toEqual([...livenessReasons]);
    expect(rows('Against readiness')).toEqual([...readinessReasons]);
  });

  it('has every state of a watch, and of the operator', () => {
    expect(rows('States of a watch')).toEqual(union('engine/watching/watch-state.ts', 'WatchState'));
    expect(rows('States of the operator')).toEqual(union('engine/supervision/supervised.ts', 'OperatorState'));
  });

  it('has every option of probes, and every part of what a watch tells', () => {
    expect(rows('Probes of your own')).toEqual(members('decorators/handler-options.ts', 'OnProbeOptions'));
    const [, section = ''] = page.split('\n## States of a watch\n');
    const told = members('engine/health/operator-health.ts', 'WatchReport');
    const named = told.filter((name) => !['resource', 'namespace'].includes(name));
    expect(named.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every option of the section "health"', () => {
    const options = members('operator.options.ts', 'HealthOptions');
    expect(options.length).toBeGreaterThan(3);
    expect(options.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  });
});
