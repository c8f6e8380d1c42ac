import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { compilePrograms, root, run, scratchFolder, type Programs } from './support/compile.js';
import { openScene, patience, startProgram } from './support/program.js';

const libraries = ['operator', 'apiserver', 'testing'];

/** Folders from which one major of Nest is found, under its real names. */
const places = { '11': join(root, 'test/fixtures/nest11'), '12': join(root, 'test/fixtures/nest12') } as const;
type Major = keyof typeof places;

const programs = new Map<Major, Programs>();

const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
const crash = [
  'Unrecoverable error in a worker',
  'Root task failed unrecoverably; the operator stops',
  'Task cancelled',
  'Root tasks stopped',
  'clean-up',
  ...hooks,
  'Hung tasks: none',
  'Operator failed',
  'exit 1, 0 servers',
];
const unthrottled = { queue: { throttle: [] } };

/** Packs the libraries as they would be published. Linked, they would find the workspace's Nest. */
async function pack(into: string): Promise<readonly { readonly name: string; readonly tarball: string }[]> {
  const folders = libraries.map((library) => join(root, 'libs', library));
  const output = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into, ...folders]);
  const answer = JSON.parse(output) as Record<string, { readonly name: string; readonly filename: string }>;
  // A list, or an object keyed by name from npm 12 on.
  return Object.values(answer).map(({ name, filename }) => ({ name, tarball: join(into, filename) }));
}

beforeAll(async () => {
  const packed = await mkdtemp(join(tmpdir(), 'packed-'));
  try {
    const packages = await pack(packed);
    for (const [major, place] of Object.entries(places) as [Major, string][]) {
      const folder = await scratchFolder(place);
      for (const { name, tarball } of packages) {
        const target = join(folder, 'node_modules', name);
        await mkdir(target, { recursive: true });
        await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
      }
      programs.set(major, await compilePrograms(folder, { check: true }));
    }
  } finally {
    await rm(packed, { recursive: true, force: true });
  }
});

afterAll(async () => {
  for (const built of programs.values()) await built.remove();
});

function folderOf(major: Major): string {
  const built = programs.get(major);
  if (built === undefined) throw new Error(`Nest ${major} is not prepared.`);
  return built.folder;
}

interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly told?: string;
}

const cases = {
  packages: 'the packed library meets this major, once',
  hookOrder: 'the operator starts last and stops first, global or not',
  enhancers: 'guards, interceptors, pipes and filters of the handler apply, those of the application do not',
  scopes: 'request, transient and durable providers work',
  secondForRoot: 'a second forRoot is refused by name',
  logAdapters: 'each record is one record of the text console, the JSON console and any other logger',
  terminus: 'its terminus shows the health of the operator',
  endToEnd: 'create, update and delete, with the test kit before the embedded server',
};

for (const major of Object.keys(places) as Major[]) {
  describe(`Nest ${major}`, () => {
    let outcomes: Promise<Outcome[]> | undefined;

    /** All cases run in one process. */
    async function contract(): Promise<Outcome[]> {
      const program = startProgram(join(folderOf(major), 'contract.js'), [major]);
      try {
        await program.ended();
      } finally {
        program.kill();
      }
      const lines = program.output.split('\n').filter((line) => line.startsWith('{"name":'));
      const found = lines.map((line) => JSON.parse(line) as Outcome);
      if (found.length !== Object.keys(cases).length) throw new Error(`Cases are missing:\n${program.output}`);
      return found;
    }

    for (const [name, title] of Object.entries(cases)) {
      test(title, async ({ expect }) => {
        outcomes ??= contract();
        const outcome = (await outcomes).find((one) => one.name === name);
        expect(outcome?.told).toBeUndefined();
        expect(outcome?.passed).toBe(true);
      });
    }

    describe.concurrent('as a process', patience, () => {
      for (const [host, owner] of [
        ['http', 'attach'],
        ['http', 'module'],
        ['context', 'run'],
        ['context', 'module'],
        ['hybrid', 'module'],
        ['microservice', 'module'],
      ] as const) {
        test(`${host}, ${owner}: a fatal error closes the application in order, code 1`, async (t) => {
          const { program, create } = await openScene(t, folderOf(major), { host, owner, operator: unthrottled });
          await program.printed('ready');
          await create('bad', { boo: true });
          t.expect(await program.ended()).toBe(1);
          t.expect(program.order(crash)).toEqual(crash);
          for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
        });
      }

      // The other tests of this folder prove the rest for the workspace's Nest.
      for (const [host, owner] of major === '11'
        ? ([
            ['http', 'attach'],
            ['context', 'run'],
          ] as const)
        : ([['http', 'attach']] as const)) {
        test(`${host}, ${owner}: SIGTERM with shutdown hooks runs each hook once, code 0`, async (t) => {
          const { program } = await openScene(t, folderOf(major), { host, owner, shutdownHooks: true });
          await program.printed('ready');
          program.send('SIGTERM');
          t.expect(await program.ended()).toBe(0);
          t.expect(program.order(['clean-up', ...hooks])).toEqual(['clean-up', ...hooks]);
          for (const once of ['clean-up', ...hooks]) t.expect(program.count(once)).toBe(1);
          t.expect(program.errors()).toEqual([]);
        });

        test(`${host}, ${owner}: a hook that hangs ends by the deadline with 1`, async (t) => {
          const { program } = await openScene(t, folderOf(major), {
            host,
            owner,
            hook: { name: 'onModuleDestroy', does: 'hang' },
            operator: { shutdown: { deadline: '1s' } },
          });
          await program.printed('ready');
          program.send('SIGTERM');
          t.expect(await program.ended()).toBe(1);
          t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .*STOP_DEADLINE/);
        });

        test(`${host}, ${owner}: a hook that throws ${major === '11' ? 'ends the close: code 1' : 'is told by Nest: code 0'}`, async (t) => {
          const { program } = await openScene(t, folderOf(major), {
            host,
            owner,
            hook: { name: 'onModuleDestroy', does: 'throw' },
          });
          await program.printed('ready');
          program.send('SIGTERM');
          const ending = await program.ended();
          t.expect(program.errors().some(({ text }) => text.includes('bent hook onModuleDestroy'))).toBe(true);
          // Nest 11 skips what comes after; Nest 12 goes on.
          t.expect(program.order(['clean-up', ...hooks])).toEqual([
            'clean-up',
            ...(major === '11' ? hooks.slice(0, 1) : hooks),
          ]);
          t.expect(ending).toBe(major === '11' ? 1 : 0);
        });

        test(`${host}, ${owner}: a hook that throws after a crash hides nothing, code 1`, async (t) => {
          const { program } = await openScene(t, folderOf(major), {
            host,
            owner,
            hook: { name: 'onModuleDestroy', does: 'throw' },
            operator: unthrottled,
            widgets: { bad: { boo: true } },
          });
          t.expect(await program.ended()).toBe(1);
          t.expect(program.errors().some(({ text }) => text.includes('bent hook onModuleDestroy'))).toBe(true);
          t.expect(program.errors().at(-1)?.text).toMatch(/^Operator failed .* <- Error: boo bad"$/);
        });
      }
    });
  });
}

test('the fixtures name the majors that they stand for', async ({ expect }) => {
  const manifest = JSON.parse(await readFile(join(places['11'], 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  expect(manifest.dependencies['@nestjs/core']).toMatch(/^\^11\./);
});
