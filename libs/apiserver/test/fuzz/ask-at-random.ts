import { describe, expect, it } from 'vitest';
import { startApiServer } from '../../src/index.js';
import { questions } from './areas.js';
import { Dice } from './dice.js';
import { FuzzClient } from './fuzz-client.js';
import { fault } from './judge.js';
import { crds, objects, token, users } from './world.js';

/** A server does not live for longer, so that a failure can be run again soon. */
const perServer = 750;

/** Tests that send so many requests; `FUZZ_CASES` and `FUZZ_SEED` set another number of them, and other ones. */
export function askAtRandom(usualCases: number): void {
  const cases = Number(process.env['FUZZ_CASES'] ?? usualCases);
  const firstSeed = Number(process.env['FUZZ_SEED'] ?? 1);
  const seeds = Array.from({ length: Math.ceil(cases / perServer) }, (_, index) => firstSeed + index);

  describe('requests at random', () => {
    it.each(seeds)(
      'are each answered, by a Status where they are refused (seed %i)',
      async (seed) => {
        const bugs: unknown[] = [];
        const api = await startApiServer({
          crds,
          objects,
          users,
          authorization: 'rbac',
          faultSeed: seed,
          onInternalError: (error) => bugs.push(error),
        });
        const client = new FuzzClient({ url: api.url, token });
        try {
          let asked = 0;
          for (const question of questions(new Dice(seed))) {
            if (++asked > perServer) break;
            const reply = await client.ask(question);
            expect(fault(question, reply), `case ${asked}`).toBeUndefined();
            expect(bugs, JSON.stringify(question).slice(0, 3_000)).toEqual([]);
          }
          await api.activity.whenIdle();
          const alive = { area: '', method: 'GET', path: '/api/v1/namespaces/default', headers: {}, body: undefined };
          expect((await client.ask(alive)).status).toBe(200);
        } finally {
          client.close();
          await api.close();
        }
      },
      120_000,
    );
  });
}
