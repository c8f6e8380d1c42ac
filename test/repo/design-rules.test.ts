import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSource } from './design-rules.js';
import { librarySources, root } from './source-files.js';

const engineFile = 'libs/operator/src/engine/queueing/sample.ts';
const nestFile = 'libs/operator/src/lifecycle/sample.ts';

describe('the design rules', () => {
  it('hold in every source of the libraries', () => {
    const sources = librarySources();
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.flatMap((file) => checkSource(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  }, 120_000);

  it.each([
    ['the time of the machine', nestFile, 'export const at = (): Date => new Date();'],
    ['the time of the machine as text', nestFile, 'export const at = (): string => Date();'],
    ['a timer reached through globalThis', engineFile, 'export const later = globalThis.setTimeout;'],
    ['an exit reached by a string', engineFile, `export const end = process['exit'];`],
    ['a set exit code', nestFile, 'process.exitCode = 1;'],
    ['a timed signal', engineFile, 'export const signal = AbortSignal.timeout(1);'],
    ['chance from node:crypto', engineFile, `import { createHash, randomUUID } from 'node:crypto';`],
    ['chance from the global crypto', engineFile, 'export const id = crypto.randomUUID();'],
    ['all of node:crypto', engineFile, `import * as crypto from 'node:crypto';`],
    ['an export of everything', 'libs/testing/src/index.ts', `export * from './a.js';`],
    ['a default export', 'libs/testing/src/a.ts', 'export default function a(): void {}'],
    ['a default export of a value', 'libs/testing/src/a.ts', 'export default 1;'],
    ['a module that awaits', 'libs/apiserver/src/a.ts', 'export const a = await 1;'],
    ['a module that awaits in a loop', 'libs/apiserver/src/a.ts', 'for await (const each of []) each;'],
    ['an engine that reaches out', engineFile, `import { a } from '../../operator.options.js';`],
    ['an engine that reaches out for a type', engineFile, `export type { A } from '../../decorators/a.js';`],
    ['an engine that reaches out later', engineFile, `export const a = (): unknown => import('../../discovery/a.js');`],
    ['an engine with a type of Nest', engineFile, `export type A = import('@nestjs/common').Type;`],
    ['an error that imports Nest', 'libs/operator/src/errors/a.error.ts', `import { Type } from '@nestjs/common';`],
    ['a library that imports its test kit', nestFile, `import { a } from '@nestjs-operator/testing';`],
    ['an API server that imports Nest', 'libs/apiserver/src/a.ts', `import { Type } from '@nestjs/common';`],
    [
      'an API server that imports the operator',
      'libs/apiserver/src/a.ts',
      `import { a } from 'nestjs-operator/engine';`,
    ],
    ['the whole of client-node', engineFile, `import { KubeConfig } from '@kubernetes/client-node';`],
    [
      'the slow part of client-node',
      engineFile,
      `export { KubeConfig } from '@kubernetes/client-node/dist/config.js';`,
    ],
    ['an injection by type alone', nestFile, '@Injectable() export class A { constructor(private readonly b: B) {} }'],
  ])('refuse %s', (_, file, code) => {
    expect(checkSource(file, code)).toHaveLength(1);
  });

  it.each([
    ['a date from a text', nestFile, 'export const at = new Date(text);'],
    ['the machine in its ports', 'libs/operator/src/engine/ports/a.ts', 'process.exitCode = Date.now() + +new Date();'],
    ['digests', engineFile, `import { createHash } from 'node:crypto';`],
    ['other parts of process', engineFile, 'export const env = process.env;'],
    ['errors in the engine', engineFile, `import { A } from '../../errors/a.error.js';`],
    ['neighbours in the engine', engineFile, `import { A } from '../ports/index.js';`],
    ['types of client-node', engineFile, `import type { V1Pod } from '@kubernetes/client-node';`],
    ['small parts of client-node', engineFile, `import { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';`],
    ['client-node when it is needed', engineFile, `export const a = (): unknown => import('@kubernetes/client-node');`],
    ['a wait in a function', engineFile, 'export async function a(): Promise<void> { await 1; }'],
    [
      'an injection by token',
      nestFile,
      '@Injectable() export class A { constructor(@Inject(B) private readonly b: B) {} }',
    ],
    ['a class outside the container', nestFile, 'export class A { constructor(private readonly b: B) {} }'],
  ])('let %s pass', (_, file, code) => {
    expect(checkSource(file, code)).toEqual([]);
  });
});
