import type { CoverageCounts } from './coverage.js';
import { expectedTransitions } from './machines.js';

/** Each kind of fault has to strike so often in a large run. */
const enough = 1_000;

/** What runs have gone through, as tables, and what they have not gone through often enough. */
export function coverageTables({ faults, transitions, calls, repeats }: CoverageCounts): {
  readonly lines: readonly string[];
  readonly lacking: readonly string[];
} {
  const lines = ['fault       hits'];
  const lacking: string[] = [];
  for (const [kind, hits] of Object.entries(faults)) {
    lines.push(`${kind.padEnd(10)} ${String(hits).padStart(8)}${hits < enough ? `  (below ${enough})` : ''}`);
    if (hits < enough) lacking.push(`${kind} struck ${hits} times`);
  }
  for (const [machine, expected] of Object.entries(expectedTransitions)) {
    const known = transitions[machine] ?? {};
    lines.push('', `transitions of the ${machine}`);
    for (const name of new Set([...expected, ...Object.keys(known)])) {
      const times = known[name] ?? 0;
      lines.push(`${name.padEnd(28)} ${String(times).padStart(8)}${times === 0 ? '  (not visited)' : ''}`);
      if (times === 0) lacking.push(`${machine} never went ${name}`);
    }
  }
  lines.push('', `${calls} calls of handlers, ${repeats} of them repeated within the window after a crash or stop`);
  return { lines, lacking };
}
