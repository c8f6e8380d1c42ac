import type { RunRecord, StepRecord } from './crash-run.js';
import type { SentWrite } from './killable-transport.js';

/** What is called again at each start, whatever was done before. */
const atEachStart = new Set(['resume', 'event', 'index', 'timer', 'daemon', 'reconcile']);

type Counts = ReadonlyMap<string, number>;

/**
 * What a run with a kill did that it should not have done, by the run without. Handlers may be called once more, and
 * objects written once more, in the step in which the operator was killed; in all others nothing may differ.
 */
export function compareRuns(plain: RunRecord, run: RunRecord): string[] {
  if (run.killed === undefined) return ['the operator was not killed: it wrote less often than in the first run'];
  const killedStep = run.killed.step;
  if (run.steps.length !== plain.steps.length) {
    return [`the workload took ${run.steps.length} steps, not ${plain.steps.length}; it must be the same in each run`];
  }
  const problems = plain.steps.flatMap((expected, step) => {
    const found = run.steps[step]!;
    const isKilled = step === killedStep;
    const calls = callsOf(expected);
    const called = outside(callsOf(found), calls, (name) => (isKilled ? 2 : 1) * countOf(calls, name));
    const wrote = isKilled ? tooManyWrites(expected, found) : moreWrites(expected, found);
    return [...called.map((text) => `called ${text}`), ...wrote.map((text) => `wrote ${text}`)].map(
      (text) => `in step ${step} it ${text}`,
    );
  });
  return [...problems, ...endProblems(plain.end, run.end)];
}

const noCounts: Counts = new Map();
const countOf = (counts: Counts, name: string): number => counts.get(name) ?? 0;

function outside(found: Counts, least: Counts, most: (name: string) => number): string[] {
  return [...new Set([...found.keys(), ...least.keys()])].flatMap((name) => {
    const count = countOf(found, name);
    if (count < countOf(least, name)) return [`${name} ${count} times instead of ${countOf(least, name)}`];
    return count > most(name) ? [`${name} ${count} times, ${most(name)} at most are right`] : [];
  });
}

/**
 * What is called because of changes, and recorded on the object. A creation that is begun again may take in what was an
 * update before.
 */
const callsOf = ({ calls }: StepRecord): Counts =>
  counted(
    calls.flatMap(({ handler, cause, key }) => {
      if (atEachStart.has(cause)) return [];
      return [`${handler} for ${cause === 'delete' ? 'the deletion' : 'a change'} of ${key}`];
    }),
  );

/** How many requests a change takes is not for the test to say, but no run may need more of them. */
function moreWrites(expected: StepRecord, found: StepRecord): string[] {
  const writes = writesOf(expected);
  return outside(writesOf(found), noCounts, (object) => countOf(writes, object));
}

/** What is written once more, and what handlers write that are called because the operator started: to any object. */
function tooManyWrites(expected: StepRecord, found: StepRecord): string[] {
  const started = found.calls.filter(({ cause }) => atEachStart.has(cause)).length;
  const most = 2 * (taken(expected).length + started);
  const count = taken(found).length;
  return count > most ? [`${count} times, ${most} at most are right`] : [];
}

const taken = ({ writes }: StepRecord): SentWrite[] => writes.filter(({ status = 0 }) => status < 400);

const writesOf = (step: StepRecord): Counts => counted(taken(step).map(({ object }) => object));

function counted(names: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, countOf(counts, name) + 1);
  return counts;
}

function endProblems(expected: readonly string[], found: readonly string[]): string[] {
  const missing = without(expected, found);
  const extra = without(found, expected);
  return [
    ...missing.map((object) => `the end lacks ${object}`),
    ...extra.map((object) => `the end has ${object} in its place, or beside it`),
  ];
}

/** Those of a list that another lacks; equal ones count each. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map(counted(other));
  return list.filter((entry) => {
    const count = countOf(left, entry);
    if (count > 0) left.set(entry, count - 1);
    return count === 0;
  });
}
