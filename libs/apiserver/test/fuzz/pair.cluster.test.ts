import { startControlPlane, type ControlPlane } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApiServer, type ApiServer } from '../../src/index.js';
import { FuzzClient } from './fuzz-client.js';
import { knownDifferences, type KnownDifference } from './known-differences.js';
import { ServerPair, type Answers } from './pair.js';
import { runPair } from './pair-run.js';
import { PairWorld } from './pair-world.js';
import { shown } from './question.js';
import { token } from './world.js';

/** `FUZZ_CASES` and `FUZZ_SEED` set another number of questions, and other ones. */
const cases = Number(process.env['FUZZ_CASES'] ?? 4_000);
const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
const perSeed = 1_000;
const seeds = Array.from({ length: Math.ceil(cases / perSeed) }, (_, index) => firstSeed + index);

// A control plane of its own: the questions are about namespaces, nodes and roles, which belong to all.
let plane: ControlPlane;
let api: ApiServer;
let world: PairWorld;
let pair: ServerPair;
const clients: FuzzClient[] = [];
const bugs: unknown[] = [];

beforeAll(async () => {
  // Each namespace has a service, and none of them ends.
  plane = await startControlPlane({ apiServerArgs: ['--service-cluster-ip-range=10.0.0.0/16'] });
  api = await startApiServer({
    users: [{ name: 'admin', uid: 'admin', token, groups: ['system:masters'] }],
    authorization: 'rbac',
    // The real server runs without controllers.
    gc: false,
    namespaceController: false,
    onInternalError: (error) => bugs.push(error),
  });
  const ca = Buffer.from(plane.caData, 'base64').toString();
  const embedded = new FuzzClient({ url: api.url, token });
  const real = new FuzzClient({ url: plane.url, token: plane.address.adminToken, ca });
  clients.push(embedded, real);
  pair = new ServerPair(embedded, real);
  world = new PairWorld(pair, 'fuzz-');
  await world.prepare();
});

afterAll(async () => {
  for (const client of clients) client.close();
  await api.close();
  await plane.stop();
});

const kindOf = (answers: Answers): KnownDifference | undefined =>
  knownDifferences.find(({ covers }) => covers(answers));

describe('requests at random', () => {
  const met = new Set<string>();

  it.each(seeds)(
    'are answered as by the real server (seed %i)',
    async (seed) => {
      const differences = await runPair(pair, world, {
        seed,
        cases: Math.min(cases, perSeed),
        isKnown: (answers) => kindOf(answers) !== undefined,
      });
      const unknown = differences.filter((answers) => {
        const kind = kindOf(answers);
        if (kind !== undefined) met.add(kind.name);
        return kind === undefined;
      });
      const told = unknown.map(({ number, question, embedded, real }) => ({
        number,
        question: shown(question),
        embedded,
        real,
      }));
      expect(told).toEqual([]);
      expect(bugs).toEqual([]);
    },
    600_000,
  );

  it('differ in each of the known ways', () => {
    // Few questions of other seeds need not come upon all of them.
    const isWhole = firstSeed === 1 && cases >= 4_000;
    const missed = knownDifferences.filter(({ name, rare }) => isWhole && rare !== true && !met.has(name));
    expect(missed.map(({ name }) => name)).toEqual([]);
  });
});
