import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { librarySources, root } from './source-files.js';

interface CodedError {
  readonly code: string;
  readonly className: string;
  readonly file: string;
}

/** The first part of every code tells which package, or which part of it, the error comes from. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  operator: ['OPERATOR_'],
  apiserver: ['APISERVER_'],
  testing: ['TESTING_', 'CONTROL_PLANE_'],
};

/** Classes with `readonly code = '…'`, and the members of union types named `…ErrorCode`. */
function codedErrors(file: string, text: string): CodedError[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const found: CodedError[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassDeclaration(node)) {
      for (const member of node.members) {
        if (!ts.isPropertyDeclaration(member) || member.name.getText() !== 'code' || !member.initializer) continue;
        let value: ts.Expression = member.initializer;
        while (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) value = value.expression;
        if (ts.isStringLiteralLike(value) && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(value.text)) {
          found.push({ code: value.text, className: node.name?.text ?? '', file });
        }
      }
    }
    if (ts.isTypeAliasDeclaration(node) && node.name.text.endsWith('ErrorCode')) {
      for (const member of ts.isUnionTypeNode(node.type) ? node.type.types : [node.type]) {
        if (ts.isLiteralTypeNode(member) && ts.isStringLiteral(member.literal)) {
          found.push({ code: member.literal.text, className: node.name.text.replace(/Code$/, ''), file });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The page's sections: a heading per code, and the text below it. */
function sections(page: string): { code: string; text: string }[] {
  return page
    .split(/^#{2,3} /m)
    .slice(1)
    .flatMap((section) => {
      const code = /^`?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`?\n/.exec(section)?.[1];
      return code === undefined ? [] : [{ code, text: section.slice(section.indexOf('\n')).trim() }];
    });
}

const sources = librarySources();
const errors = sources.flatMap((file) => codedErrors(file, readFileSync(join(root, file), 'utf8')));
const documented = sections(readFileSync(join(root, 'docs/errors.md'), 'utf8'));

describe('docs/errors.md', () => {
  it('has a section for every code, and no other', () => {
    expect(errors.length).toBeGreaterThan(0);
    expect(documented.map(({ code }) => code).sort()).toEqual(errors.map(({ code }) => code).sort());
  });

  it('says of every error what it means and what to do', () => {
    const lacking = documented.filter(
      ({ text }) => !/^[^*#].{20,}/.test(text) || !/^\*\*What to do\.\*\* .{10,}/m.test(text),
    );
    expect(lacking.map(({ code }) => code)).toEqual([]);
  });
});

describe('an error class', () => {
  it('has a code that no other has', () => {
    const codes = errors.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it('starts its code with the name of its package', () => {
    const belongs = ({ code, file }: CodedError): boolean =>
      prefixes[file.split('/')[1] ?? '']?.some((prefix) => code.startsWith(prefix)) === true;
    expect(errors.filter((each) => !belongs(each))).toEqual([]);
  });

  it('stands alone in a file of errors/ that is named like its code and its class', () => {
    const inFolder = sources.filter((file) => /\/errors\/[^/]+\.error\.ts$/.test(file));
    const misnamed = inFolder.flatMap((file) => {
      const own = errors.filter((each) => each.file === file);
      if (own.length === 0)
        return /\babstract class \w+/.test(readFileSync(join(root, file), 'utf8')) ? [] : [`${file}: no code`];
      const name = /([^/]+)\.error\.ts$/.exec(file)?.[1] ?? '';
      const library = file.split('/')[1] ?? '';
      // The package's own word is not said twice: operator-stopping.error.ts has OPERATOR_STOPPING.
      const words = name.split('-').filter((word) => word !== library);
      const code = `${prefixes[library]?.[0] ?? ''}${words.join('_').toUpperCase()}`;
      const className = `${name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`;
      return own
        .filter(
          (each) => own.length > 1 || each.code !== code || each.className.toLowerCase() !== className.toLowerCase(),
        )
        .map((each) => `${file}: ${each.className} ${each.code}, expected ${className} ${code}`);
    });
    expect(misnamed).toEqual([]);
    expect(errors.filter(({ file }) => file.startsWith('libs/operator/') && !inFolder.includes(file))).toEqual([]);
  });
});
