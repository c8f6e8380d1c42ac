import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ownMetrics,
  sharedMetrics,
  type MetricDefinition,
} from '../../libs/operator/src/prometheus/metric-catalogue.js';
import { root } from './source-files.js';

const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');

/** The rows of the table in a section, cell by cell. */
function rows(section: string): string[][] {
  const [, after = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = after.split('\n## ');
  return [...own.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split('|').map((cell) => cell.trim()));
}

function expected(metrics: Readonly<Record<string, MetricDefinition>>, prefix: string): string[][] {
  return Object.entries(metrics).map(([name, { type, labels, unit, help }]) => [
    `\`${prefix}${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    unit,
    help,
  ]);
}

describe('docs/metrics.md', () => {
  it('has every metric with its type, labels, unit and meaning', () => {
    expect(rows('Shared names')).toEqual(expected(sharedMetrics, ''));
    expect(rows('Own names')).toEqual(expected(ownMetrics, 'nestjs_operator_'));
  });

  it('has no label that grows with the objects', () => {
    const labels = [...Object.values(sharedMetrics), ...Object.values(ownMetrics)].flatMap((each) => [...each.labels]);
    const known = 'code controller handler method name namespace outcome reason resource result state type verb';
    expect([...new Set<string>(labels)].toSorted().join(' ')).toBe(known);
  });
});
