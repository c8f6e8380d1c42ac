// Removes the reports of earlier runs, so that a run that never starts leaves none behind. Both kinds of run write
// conformance.json.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const prefix = process.argv[2];
if (prefix === undefined) throw new Error('usage: clean-reports.mjs <prefix>');

const folder = join(import.meta.dirname, '..', 'reports');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) {
  const ours = name.startsWith(`${prefix}-`) && name.endsWith('.json');
  if (ours || name === 'conformance.json') rmSync(join(folder, name));
}
