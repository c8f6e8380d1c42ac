import 'reflect-metadata';
import { OperatorModule, type RecordOwner, type RecordStore } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { crashAfterEveryWrite, type CrashScenario } from '../../src/index.js';
import { DoublingHandlers, ForgetfulHandlers, RightHandlers, Site, workload } from './operators.js';

const crash = (providers: CrashScenario['providers']): ReturnType<typeof crashAfterEveryWrite> =>
  crashAfterEveryWrite({ crds: [Site], providers: providers ?? [], workload });

/** The kills that led to problems. */
const kills = (problems: readonly string[]): string[] => [
  ...new Set(problems.map((problem) => problem.slice(0, problem.indexOf(' (')))),
];

describe('a crash at every write', { timeout: 120_000 }, () => {
  it('finds nothing in an operator whose handlers can be called twice, and names the writes it tried', async () => {
    const { writes, problems } = await crash([RightHandlers]);
    expect(problems).toEqual([]);
    const own = 'PATCH demo.example/sites default/home';
    const page = 'PATCH configmaps default/page-home';
    const creation = [own, page, `${own}/status`, own];
    // One handler is done, the other one is to be repeated.
    const change = [page, `${own}/status`, own, `${own}/status`, own];
    const deletion = ['DELETE configmaps default/page-home', own];
    expect(writes).toEqual([...creation, ...change, ...deletion]);
  });

  it('finds what is done twice', async () => {
    const { problems } = await crash([DoublingHandlers]);
    expect(kills(problems)).toEqual(['killed after write 1', 'killed before write 2']);
    for (const problem of problems) {
      expect(problem).toMatch(/: the end has \{.*"name":"page-\*".*\} in its place, or beside it$/);
    }
  });

  it('finds what is lost with the process', async () => {
    const { problems } = await crash([ForgetfulHandlers]);
    expect(kills(problems)).toEqual([
      'killed after write 1',
      'killed before write 2',
      'killed after write 2',
      'killed before write 3',
    ]);
    expect(problems.filter((problem) => /: the end lacks \{.*"name":"page-home"/.test(problem))).toHaveLength(4);
    expect(problems).toContainEqual(
      expect.stringMatching(
        /in step 1 it called ForgetfulHandlers\.end for a change of default\/home 0 times instead of 1$/,
      ),
    );
  });

  it('finds records that do not survive', async () => {
    const texts = new Map<string, string>();
    class MemoryStore implements RecordStore {
      // A new process knows nothing.
      constructor() {
        texts.clear();
      }
      load = ({ uid }: RecordOwner): Promise<string | undefined> => Promise.resolve(texts.get(uid));
      save = async ({ uid }: RecordOwner, text: string): Promise<void> => void texts.set(uid, text);
      remove = async ({ uid }: RecordOwner): Promise<void> => void texts.delete(uid);
    }
    const { problems } = await crashAfterEveryWrite({
      crds: [Site],
      imports: [
        OperatorModule.forRootAsync({
          useFactory: () => ({
            name: 'test.example.com',
            persistence: { store: 'memory', stores: { memory: new MemoryStore() } },
          }),
        }),
      ],
      providers: [RightHandlers],
      async workload(world) {
        const metadata = { name: 'other', namespace: 'default' };
        await world.api.create({ apiVersion: 'demo.example/v1', kind: 'Site', metadata, spec: { title: 'one' } });
        await world.settled();
        await workload(world);
      },
    });
    expect(problems).toContainEqual(
      expect.stringMatching(
        /it called RightHandlers\.publish for a change of default\/other 1 times, 0 at most are right$/,
      ),
    );
  });

  it('rejects with what the workload throws', async () => {
    const broken = crashAfterEveryWrite({
      crds: [Site],
      providers: [RightHandlers],
      workload: () => Promise.reject(new Error('broken workload')),
    });
    await expect(broken).rejects.toThrow('broken workload');
  });
});
