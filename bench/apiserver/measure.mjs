// @ts-check
import { setTimeout as pause } from 'node:timers/promises';
import { Load } from './load.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {{ name: string, unit: string, wall: number, cpu?: number }} Figure */

const connections = 16;
const rounds = 5;

/**
 * What can be asked of both servers alike. Of several rounds the best one counts: the others measure what else the
 * machine had to do. Processor time is that of the server's processes.
 *
 * @param {Server} server
 * @param {{ requests: number, objects: number, watchers: number, idle: number }} size
 * @returns {Promise<Figure[]>}
 */
export async function measure(server, { requests, objects, watchers, idle }) {
  /** @type {Figure[]} */
  const figures = [];
  const load = new Load(server, connections);
  const cpu = async () => (await server.usage()).cpu;

  /** @param {string} name @param {(index: number) => Promise<unknown>} one */
  const rate = async (name, one) => {
    let best = { wall: 0, cpu: Infinity };
    for (let round = 0; round < rounds; round++) {
      const before = await cpu();
      const begun = performance.now();
      await load.many(requests, connections, (index) => one(round * requests + index));
      const wall = requests / ((performance.now() - begun) / 1_000);
      best = { wall: Math.max(best.wall, wall), cpu: Math.min(best.cpu, (await cpu()) - before) };
    }
    figures.push({ name: `${name} per second`, unit: '/s', wall: best.wall, cpu: (best.cpu / requests) * 1_000 });
  };

  /** @param {string} name @param {number} times @param {() => Promise<unknown>} one */
  const time = async (name, times, one) => {
    let best = { wall: Infinity, cpu: Infinity };
    for (let round = 0; round < times; round++) {
      const before = await cpu();
      const begun = performance.now();
      await one();
      best = { wall: Math.min(best.wall, performance.now() - begun), cpu: Math.min(best.cpu, (await cpu()) - before) };
    }
    figures.push({ name, unit: 'ms', wall: best.wall, cpu: best.cpu * 1_000 });
  };

  await load.many(500, connections, (index) => load.create(`warm-up-${index}`, 'x'));
  await rate('Creates', (index) => load.create(`c-${index}`, String(index)));
  await rate('Gets', (index) => load.get(`c-${index}`));
  await rate('Merge patches', (index) => load.patch(`c-${index}`, `changed ${index}`));

  const have = 500 + rounds * requests;
  await load.many(Math.max(0, objects - have), connections, (index) => load.create(`more-${index}`, 'x'));
  for (let index = 0; index < have - objects; index++) await load.remove(`c-${index}`);
  await time(`List of ${objects} objects, the first`, 1, () => load.list());
  await time(`List of ${objects} objects, later ones`, 5, () => load.list());
  await load.close();

  const crowd = new Load(server, watchers + 2);
  const watches = await crowd.watches(watchers);
  const events = 20;
  let sent = 0;
  await time(`One event to ${watchers} watches`, 5, async () => {
    for (let index = 0; index < events; index++) await crowd.patch(`warm-up-${index}`, `for the crowd ${sent}`);
    sent += events;
    await watches.seen(sent);
  });
  const last = /** @type {Figure} */ (figures.at(-1));
  last.wall /= events;
  last.cpu = /** @type {number} */ (last.cpu) / events;

  const before = await server.usage();
  await pause(idle);
  const after = await server.usage();
  figures.push({
    name: `Processor while ${watchers} watches are open and nothing happens`,
    unit: '%',
    wall: ((after.cpu - before.cpu) / idle) * 100,
  });
  figures.push({ name: 'Memory at the end', unit: 'MB', wall: after.rss / 2 ** 20 });
  watches.close();
  await crowd.close();
  return figures;
}
