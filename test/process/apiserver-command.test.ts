import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from './support/compile.js';
import { patience, Program } from './support/program.js';

const script = join(root, 'libs/apiserver/dist/cli.js');
const configMaps = '/api/v1/namespaces/default/configmaps';

let folder: string;
let programs: Program[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apiserver-command-'));
  programs = [];
});

afterEach(async () => {
  for (const program of programs) {
    program.kill();
    await program.ended();
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(...args: string[]): Promise<{ program: Program; url: string }> {
  const program = new Program(script, args);
  programs.push(program);
  await program.printed('API server at http');
  return { program, url: /API server at (\S+)/.exec(program.output)![1]! };
}

async function create(url: string, name: string): Promise<{ uid: string; resourceVersion: string }> {
  const response = await fetch(url + configMaps, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { name } }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { metadata: { uid: string; resourceVersion: string } }).metadata;
}

interface List {
  metadata: { resourceVersion: string };
  items: { metadata: { name: string; uid: string; resourceVersion: string } }[];
}

const list = async (url: string): Promise<List> => (await (await fetch(url + configMaps)).json()) as List;

describe('the command of the API server', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends in good order with %s, also while a watch is open',
    async (signal) => {
      const { program, url } = await start('--write-kubeconfig', join(folder, 'kubeconfig'));
      await create(url, 'a');
      const watch = await fetch(`${url}${configMaps}?watch=1`);
      program.send(signal);
      expect(await program.ended()).toBe(0);
      expect(await watch.text().catch(() => 'broken off')).toContain('"name":"a"');
      expect(program.output).toMatch(/POST +201 +\d+\.\d ms +\/api\/v1\/namespaces\/default\/configmaps +admin/);
      expect(await readFile(join(folder, 'kubeconfig'), 'utf8')).toContain(`server: ${url}`);
    },
    patience.timeout,
  );

  it(
    'ends with 2 for a wrong call and with 1 for a failed start',
    async () => {
      const { url } = await start();
      const calls: [string[], number][] = [
        [['--help'], 0],
        [['--nonsense'], 2],
        [['--port', new URL(url).port], 1],
      ];
      for (const [args, code] of calls) {
        const program = new Program(script, args);
        programs.push(program);
        expect(await program.ended()).toBe(code);
        expect(program.output).not.toMatch(/\n {4}at /);
      }
    },
    patience.timeout,
  );

  it(
    'is found as the command of its package',
    async () => {
      const manifest = JSON.parse(await readFile(join(root, 'libs/apiserver/package.json'), 'utf8')) as {
        bin: Record<string, string>;
      };
      // With one entry only, npx takes it whatever its name is.
      expect(Object.values(manifest.bin)).toEqual(['./dist/cli.js']);
      expect((await readFile(script, 'utf8')).startsWith('#!/usr/bin/env node\n')).toBe(true);
    },
    patience.timeout,
  );
});

describe('a state file', () => {
  it(
    'holds everything that was answered, whenever the process is killed',
    async () => {
      const state = join(folder, 'state.jsonl');
      const known = new Map<string, { uid: string; resourceVersion: string }>();
      let asked = 0;
      for (let round = 0; round < 5; round++) {
        const { program, url } = await start('--quiet', '--state-file', state);
        const found = await list(url);
        for (const [name, { uid, resourceVersion }] of known) {
          expect(found.items.find(({ metadata }) => metadata.name === name)?.metadata).toMatchObject({
            uid,
            resourceVersion,
          });
        }
        // Beyond what was answered there may be what was under way, and nothing else.
        expect(found.items.length).toBeLessThanOrEqual(asked);
        const versions = found.items.map(({ metadata }) => Number(metadata.resourceVersion));
        expect(Math.max(0, ...versions)).toBeLessThanOrEqual(Number(found.metadata.resourceVersion));

        const writers = Array.from({ length: 4 }, async () => {
          for (;;) {
            const name = `n${asked++}`;
            try {
              known.set(name, await create(url, name));
            } catch {
              return; // The server is gone, which is what this test does.
            }
          }
        });
        const target = known.size + 20 + round * 40;
        while (known.size < target) await new Promise((resolve) => setImmediate(resolve));
        program.send('SIGKILL');
        expect(await program.ended()).toBe('SIGKILL');
        await Promise.all(writers);
      }
      const { program, url } = await start('--quiet', '--state-file', state);
      expect((await list(url)).items.length).toBeGreaterThanOrEqual(known.size);
      program.send('SIGTERM');
      expect(await program.ended()).toBe(0);
    },
    patience.timeout,
  );

  it(
    'is refused by a second process, and says where it is broken',
    async () => {
      const state = join(folder, 'state.jsonl');
      const { program, url } = await start('--quiet', '--state-file', state);
      await create(url, 'a');
      const second = new Program(script, ['--state-file', state]);
      programs.push(second);
      expect(await second.ended()).toBe(1);
      expect(second.output).toMatch(/^The state file .*state\.jsonl is in use by process \d+\. /);
      program.send('SIGTERM');
      expect(await program.ended()).toBe(0);

      const lines = (await readFile(state, 'utf8')).split('\n');
      lines[2] = lines[2]!.slice(0, 20);
      await writeFile(state, lines.join('\n'));
      const third = new Program(script, ['--state-file', state]);
      programs.push(third);
      expect(await third.ended()).toBe(1);
      expect(third.output).toMatch(/line 3, which begins at byte \d+: it is no JSON\. /);
    },
    patience.timeout,
  );
});
