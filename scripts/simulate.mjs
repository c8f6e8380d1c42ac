// Runs the engine in simulated worlds, one per seed: `npm run simulate -- --seeds 10000 --from 1`. `--seed 7` runs one and
// prints what happened; `--defects` tells how soon planted defects are found. Ends with 1 at the first bad seed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { bundleSimulation, copyWithDefects, root } from './simulation-bundle.mjs';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    defects: { type: 'boolean', default: false },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (typeof value !== 'string' || /^\d+$/.test(value)) continue;
  console.error(`--${name} must be a number, got ${value}.`);
  process.exit(2);
}

const chunk = 25;
/** A planted defect has to be found within so many seeds. */
const seedsPerDefect = 2_000;

/** Runs seeds on all workers; resolves with the lowest bad one, if any, and what all of them have gone through. */
async function runSeeds(workers, { from, count, defect, onCounts }) {
  const end = from + count;
  let next = from;
  let lowest;
  await Promise.all(
    workers.map(async (worker) => {
      while (next < end && (lowest === undefined || next < lowest.seed)) {
        const range = { from: next, count: Math.min(chunk, end - next), defect };
        next += range.count;
        const result = await ask(worker, range);
        onCounts?.(result.coverage);
        if (result.bad !== undefined && (lowest === undefined || result.bad.seed < lowest.seed)) lowest = result.bad;
      }
    }),
  );
  return lowest;
}

function ask(worker, range) {
  return new Promise((resolve, reject) => {
    const settle = (act) => (value) => {
      worker.off('message', answered);
      worker.off('error', failed);
      act(value);
    };
    const answered = settle(resolve);
    const failed = settle(reject);
    worker.on('message', answered);
    worker.on('error', failed);
    worker.postMessage(range);
  });
}

function describe({ seed, violation }) {
  return `seed ${seed}: ${violation.invariant}, at ${violation.at} ms: ${violation.found}`;
}

async function simulateSeeds(workers, bundle) {
  const { Coverage, coverageTables } = await import(pathToFileURL(bundle).href);
  const coverage = new Coverage();
  const began = performance.now();
  const [from, count] = [Number(values.from), Number(values.seeds)];
  const bad = await runSeeds(workers, { from, count, onCounts: (counts) => coverage.add(counts) });
  const rate = Math.round((coverage.runs / (performance.now() - began)) * 60_000);
  const { lines, lacking } = coverageTables(coverage.counts());
  console.log(lines.join('\n'));
  if (bad !== undefined) console.log(`\n${describe(bad)}\nnpm run simulate -- --seed ${bad.seed}   replays it`);
  // Fewer seeds than this do not promise that each rare thing has happened.
  const incomplete = count >= 20_000 && lacking.length > 0;
  if (incomplete) console.log(`\nnot enough: ${lacking.join('; ')}`);
  console.log(`${coverage.runs} seeds, ${rate} per minute, ${bad === undefined ? 'none bad' : 'one bad'}`);
  return bad === undefined && !incomplete ? 0 : 1;
}

async function replay(worker) {
  const seed = Number(values.seed);
  const { trace, bad } = await ask(worker, { from: seed, count: 1, traced: true });
  console.log(trace.join('\n'));
  console.log(bad === undefined ? `seed ${seed}: nothing was violated` : describe(bad));
  return bad === undefined ? 0 : 1;
}

async function findDefects(workers, defects) {
  let missed = 0;
  for (const { name } of defects) {
    const bad = await runSeeds(workers, { from: 1, count: seedsPerDefect, defect: name });
    if (bad === undefined) missed += 1;
    console.log(
      `${name.padEnd(46)} ${bad === undefined ? `not found in ${seedsPerDefect} seeds` : describe(bad).slice(0, 160)}`,
    );
  }
  console.log(`${defects.length - missed} of ${defects.length} defects found within ${seedsPerDefect} seeds each`);
  return missed === 0 ? 0 : 1;
}

mkdirSync(join(root, '.tmp'), { recursive: true });
const folder = mkdtempSync(join(root, '.tmp/simulation-'));
const workers = [];
try {
  const { plantedDefects } = await import('../libs/operator/test/simulation/defects/planted-defects.ts');
  if (values.defects) copyWithDefects(folder, plantedDefects);
  const path = await bundleSimulation(join(folder, 'bundle'), values.defects ? folder : root);
  const size = values.seed === undefined ? Math.max(1, Number(values.workers)) : 1;
  for (let index = 0; index < size; index += 1) workers.push(new Worker(path));
  if (values.seed !== undefined) process.exitCode = await replay(workers[0]);
  else if (values.defects) process.exitCode = await findDefects(workers, plantedDefects);
  else process.exitCode = await simulateSeeds(workers, path);
} finally {
  await Promise.all(workers.map((worker) => worker.terminate()));
  rmSync(folder, { recursive: true, force: true });
}
