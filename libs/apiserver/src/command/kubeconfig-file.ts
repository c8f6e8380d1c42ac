import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../errors/usage.error.js';
import { valueAt } from '../json.js';
import { yamlLibrary } from '../lazy-modules.js';

/** Refuses to write over a file that may be somebody's only way into a real cluster. */
export function checkKubeconfigTarget(path: string): void {
  if (!existsSync(path)) return;
  let names: unknown[];
  try {
    const clusters = valueAt(yamlLibrary().parse(readFileSync(path, 'utf8')), ['clusters']);
    names = Array.isArray(clusters) ? clusters.map((cluster: unknown) => valueAt(cluster, ['name'])) : [];
  } catch {
    // Whatever it is, it is none of ours.
    names = [];
  }
  if (names.length === 1 && names[0] === 'embedded') return;
  throw new UsageError(
    `--write-kubeconfig ${path}: the file is there already and was not written by this command. Name another one.`,
  );
}
