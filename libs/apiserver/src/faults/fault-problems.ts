import type { EventMatch } from './event-match.js';
import type { Fault, FaultAction, FaultMatch } from './fault.js';

/** What is wrong with the numbers of a fault. */
export function faultProblems({ match, do: todo }: Fault): string[] {
  const actions = [todo].flat() as FaultAction[];
  const problems = selectionProblems('match', match);
  if (actions.length === 0) problems.push('do: there is no action');
  for (const action of actions) {
    const where = action.action;
    const events = 'events' in action ? action.events : undefined;
    problems.push(...selectionProblems(`${where}.events`, events));
    for (const [name, lowest] of Object.entries(lowestOf)) {
      const value = (action as unknown as Record<string, unknown>)[name];
      if (value === undefined) continue;
      // Only times may be fractions.
      const ok = typeof value === 'number' && value >= lowest && (name === 'ms' || Number.isInteger(value));
      if (!ok || value === Infinity)
        problems.push(`${where}.${name} must be ${kindOf(name, lowest)}, got ${shown(value)}`);
    }
    if (where === 'stall' && action.afterBytes !== undefined && action.afterEvents !== undefined) {
      problems.push('stall.afterBytes and stall.afterEvents exclude each other');
    }
  }
  return problems;
}

const lowestOf: Readonly<Record<string, number>> = {
  ms: 0,
  afterBytes: 0,
  afterEvents: 0,
  by: 1,
  bytes: 1,
  revision: 1,
  status: 100,
  retryAfter: 0,
};

const kindOf = (name: string, lowest: number): string =>
  name === 'ms' ? 'a number of milliseconds from 0 on' : `an integer from ${lowest} on`;

function selectionProblems(where: string, match: FaultMatch | EventMatch | undefined): string[] {
  const problems: string[] = [];
  for (const name of ['nth', 'times'] as const) {
    const value = match?.[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) {
      problems.push(`${where}.${name} must be an integer from 1 on, got ${shown(value)}`);
    }
  }
  const chance = match?.probability;
  if (chance !== undefined && !(chance >= 0 && chance <= 1)) {
    problems.push(`${where}.probability must lie between 0 and 1, got ${shown(chance)}`);
  }
  return problems;
}

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : typeof value);
