import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Sample {
  readonly rule: string;
  readonly file: string;
  readonly code: string;
  /** The same with the fault taken out. */
  readonly clean: string;
  /** What the fault imports. */
  readonly beside?: Readonly<Record<string, string>>;
}

const engine = 'libs/operator/src/engine';
const imports = 'eslint(no-restricted-imports)';
const globals = 'eslint(no-restricted-globals)';
const properties = 'eslint(no-restricted-properties)';
const promise = 'export async function work(): Promise<void> {}\n';

const samples: Readonly<Record<string, Sample>> = {
  'a floating promise': {
    rule: 'typescript(no-floating-promises)',
    file: 'libs/operator/src/floating.ts',
    code: `${promise}work();\n`,
    clean: `${promise}await work();\n`,
  },
  'a promise hidden behind void': {
    rule: 'typescript(no-floating-promises)',
    file: 'libs/apiserver/src/void.ts',
    code: `${promise}void work();\n`,
    clean: `${promise}await work();\n`,
  },
  'an async callback where nobody waits': {
    rule: 'typescript(no-misused-promises)',
    file: 'libs/operator/src/misused.ts',
    code: `${promise}[1].forEach(async () => { await work(); });\n`,
    clean: `${promise}[1].forEach(() => work);\n`,
  },
  'something thrown that is no error': {
    rule: 'typescript(only-throw-error)',
    file: 'libs/operator/src/throws.ts',
    code: `export function fail(): never { throw 'x'; }\n`,
    clean: `export function fail(): never { throw new Error('x'); }\n`,
  },
  'a switch that forgets a state': {
    rule: 'typescript(switch-exhaustiveness-check)',
    file: 'libs/operator/src/states.ts',
    code: `export function next(state: 'a' | 'b'): void { switch (state) { case 'a': return; } }\n`,
    clean: `export function next(state: 'a' | 'b'): void { switch (state) { case 'a': return; case 'b': return; } }\n`,
  },
  'an import cycle': {
    rule: 'import(no-cycle)',
    file: 'libs/operator/src/one.ts',
    code: `import { two } from './two.js';\nexport const one = (): unknown => two;\n`,
    clean: `export const one = (): unknown => 1;\n`,
    beside: { 'libs/operator/src/two.ts': `import { one } from './one.js';\nexport const two = (): unknown => one;\n` },
  },
  'an import cycle of types': {
    rule: 'import(no-cycle)',
    file: 'libs/operator/src/three.ts',
    code: `import type { Four } from './four.js';\nexport type Three = Four | 3;\n`,
    clean: `export type Three = 3;\n`,
    beside: {
      'libs/operator/src/four.ts': `import type { Three } from './three.js';\nexport type Four = { three: Three };\n`,
    },
  },
  'a swallowed error': {
    rule: 'eslint(no-empty)',
    file: 'libs/operator/src/swallowed.ts',
    code: `${promise}try { await work(); } catch {}\n`,
    clean: `${promise}try { await work(); } catch { /* gone already */ }\n`,
  },
  'a console call in a library': {
    rule: 'eslint(no-console)',
    file: 'libs/operator/src/console.ts',
    code: `console.log('x');\n`,
    clean: `export {};\n`,
  },
  'an engine that imports Nest': {
    rule: imports,
    file: `${engine}/nest.ts`,
    code: `import { Injectable } from '@nestjs/common';\nexport { Injectable };\n`,
    clean: `import { request } from 'undici';\nexport { request };\n`,
  },
  'an engine that imports a type from the depth of Nest': {
    rule: imports,
    file: `${engine}/queueing/nest-type.ts`,
    code: `import type { Module } from '@nestjs/core/injector/module.js';\nexport type { Module };\n`,
    clean: `import type { Dispatcher } from 'undici';\nexport type { Dispatcher };\n`,
  },
  'an engine that imports Nest later': {
    rule: imports,
    file: `${engine}/nest-later.ts`,
    code: `export const later = (): Promise<unknown> => import('@nestjs/core');\n`,
    clean: `export const later = (): Promise<unknown> => import('yaml');\n`,
  },
  'an engine that imports reflect-metadata': {
    rule: imports,
    file: `${engine}/reflect.ts`,
    code: `import 'reflect-metadata';\n`,
    clean: `import 'yaml';\n`,
  },
  'an engine that imports prom-client': {
    rule: imports,
    file: `${engine}/metrics.ts`,
    code: `import { Counter } from 'prom-client';\nexport { Counter };\n`,
    clean: `import { parse } from 'yaml';\nexport { parse };\n`,
  },
  ...Object.fromEntries(
    ['timers', 'timers/promises', 'node:timers', 'node:timers/promises', 'node:perf_hooks', 'node:process'].flatMap(
      (name) =>
        ['libs/operator/src', engine].map((folder): [string, Sample] => [
          `an import of ${name} in ${folder}`,
          {
            rule: imports,
            file: `${folder}/import-${name.replaceAll(/\W/g, '-')}.ts`,
            code: `import * as all from '${name}';\nexport { all };\n`,
            clean: `import * as all from 'node:path';\nexport { all };\n`,
          },
        ]),
    ),
  ),
  ...Object.fromEntries(
    ['setTimeout', 'setInterval', 'setImmediate'].flatMap((name) =>
      ['libs/operator/src', `${engine}/queueing`].map((folder): [string, Sample] => [
        `${name} in ${folder}`,
        {
          rule: globals,
          file: `${folder}/${name.toLowerCase()}.ts`,
          code: `export const later = (fire: () => void): unknown => ${name}(fire, 1);\n`,
          clean: `export const later = (fire: () => void): unknown => queueMicrotask(fire);\n`,
        },
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      'AbortSignal.timeout',
      'Date.now',
      'performance.now',
      'process.hrtime',
      'process.uptime',
      'Math.random',
      'process.abort',
      'process.exit',
      'process.kill',
    ].map((name): [string, Sample] => [
      name,
      {
        rule: properties,
        file: `${engine}/handling/${name.toLowerCase().replace('.', '-')}.ts`,
        code: `export const taken: unknown = ${name};\n`,
        clean: `export const taken: unknown = process.version;\n`,
      },
    ]),
  ),
  'a set exit code': {
    rule: properties,
    file: 'libs/operator/src/lifecycle/exit-code.ts',
    code: `process.exitCode = 1;\n`,
    clean: `process.title = 'x';\n`,
  },
  'process.exit taken apart': {
    rule: properties,
    file: 'libs/operator/src/lifecycle/taken-apart.ts',
    code: `const { exit } = process;\nexport { exit };\n`,
    clean: `const { version } = process;\nexport { version };\n`,
  },
  'a test that runs alone': {
    rule: 'vitest(no-focused-tests)',
    file: 'libs/operator/test/only.test.ts',
    code: `import { expect, it } from 'vitest';\nit.only('x', () => { expect(1).toBe(1); });\n`,
    clean: `import { expect, it } from 'vitest';\nit('x', () => { expect(1).toBe(1); });\n`,
  },
  'a test that is left out': {
    rule: 'vitest(no-disabled-tests)',
    file: 'test/e2e/skip.test.ts',
    code: `import { expect, it } from 'vitest';\nit.skip('x', () => { expect(1).toBe(1); });\n`,
    clean: `import { expect, it } from 'vitest';\nit('x', () => { expect(1).toBe(1); });\n`,
  },
};

/** Samples that the rules must let through. */
const allowed: Readonly<Record<string, { file: string; code: string }>> = {
  'the clock of the machine in its port': {
    file: `${engine}/ports/real-clock.ts`,
    code: `export const later = (fire: () => void): unknown => [Date.now(), performance.now(), setTimeout(fire, 1)];\n`,
  },
  'the exit of the process in its port': { file: `${engine}/ports/real-exit.ts`, code: `process.exitCode = 1;\n` },
  'Nest outside the engine': {
    file: 'libs/operator/src/operator.module.ts',
    code: `import { Module } from '@nestjs/common';\nexport { Module };\n`,
  },
  'a value import that a constructor needs at run time': {
    file: 'libs/operator/src/injected.ts',
    code: `import { Injectable } from '@nestjs/common';\nimport { Dep } from './dep.js';\n@Injectable()\nexport class User {\n  constructor(readonly dep: Dep) {}\n}\n`,
  },
};

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
}

/** One run of the linter, with the repository's own configuration, over files at the places that they would have in it. */
function lint(files: Readonly<Record<string, string>>): Diagnostic[] {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
  try {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2023',
          module: 'nodenext',
          experimentalDecorators: true,
          types: ['node'],
        },
        include: ['libs', 'test'],
      }),
    );
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    for (const [path, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    const run = spawnSync(
      process.execPath,
      [join(root, 'node_modules/oxlint/bin/oxlint'), '--type-aware', '--format', 'json'],
      {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 64 * 2 ** 20,
        env: { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) },
      },
    );
    try {
      return (JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }).diagnostics;
    } catch (error) {
      throw new Error(`oxlint gave no report: ${run.stdout.slice(0, 500)}${run.stderr.slice(0, 500)}`, {
        cause: error,
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the lint rules', () => {
  let faulty: Diagnostic[] = [];
  let clean: Diagnostic[] = [];

  beforeAll(() => {
    const beside = Object.assign({}, ...Object.values(samples).map((sample) => sample.beside ?? {})) as Record<
      string,
      string
    >;
    const files = (pick: 'code' | 'clean'): Record<string, string> => ({
      ...beside,
      ...Object.fromEntries(Object.values(samples).map((sample) => [sample.file, sample[pick]])),
    });
    faulty = lint(files('code'));
    clean = lint({
      ...files('clean'),
      ...Object.fromEntries(Object.values(allowed).map(({ file, code }) => [file, code])),
    });
  }, 120_000);

  afterAll(() => {
    const files = Object.values(samples).map((sample) => sample.file);
    expect(new Set(files).size, 'each sample needs a file of its own').toBe(files.length);
  });

  it.each(Object.entries(samples))('refuse %s', (_, { rule, file }) => {
    const of = (list: Diagnostic[]): string[] => list.filter((each) => each.filename === file).map((each) => each.code);
    expect(of(faulty)).toContain(rule);
    expect(of(clean)).not.toContain(rule);
  });

  it.each(Object.entries(allowed))('let %s pass', (_, { file }) => {
    expect(clean.filter((each) => each.filename === file).map((each) => each.code)).toEqual([]);
  });
});
