import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { ownMetrics, sharedMetrics } from '../../libs/operator/src/prometheus/metric-catalogue.js';
import { MetricSet } from '../../libs/operator/src/prometheus/metric-set.js';
import { root } from './source-files.js';

/** Labels by series, as a registry that the module has filled exposes them; those of targets are on all. */
async function exposed(): Promise<Map<string, Set<string>>> {
  const registry = new Registry();
  new MetricSet(registry, 'nestjs_operator_');
  const found = new Map<string, Set<string>>();
  const named = Object.fromEntries(Object.entries(ownMetrics).map(([name, each]) => [`nestjs_operator_${name}`, each]));
  const labels = new Map(Object.entries({ ...sharedMetrics, ...named }).map(([name, each]) => [name, each.labels]));
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const own = new Set<string>([...(labels.get(name) ?? []), 'job', 'instance']);
    if (String(type) !== 'histogram') found.set(name, own);
    else {
      found.set(`${name}_bucket`, new Set([...own, 'le']));
      found.set(`${name}_count`, own);
      found.set(`${name}_sum`, own);
    }
  }
  return found;
}

interface Query {
  readonly metrics: readonly string[];
  /** What is selected or grouped by. */
  readonly labels: readonly string[];
}

const words = new Set(['by', 'on', 'without', 'ignoring', 'and', 'or', 'unless', 'bool', 'offset', 'group_left']);

/** Reads the names out of PromQL. */
function readQuery(expression: string): Query {
  const labels: string[] = [];
  const rest = expression
    .replaceAll(/\{([^}]*)\}/g, (_all, matchers: string) => {
      labels.push(...[...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label));
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|on|without|ignoring)\s*\(([^)]*)\)/g, (_all, _word, names: string) => {
      labels.push(...names.split(',').map((name) => name.trim()));
      return ' ';
    });
  const names = [...rest.matchAll(/[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)].map(([name]) => name);
  return { metrics: names.filter((name) => !words.has(name)), labels };
}

/** What is wrong with a query. */
function problems(expression: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const { metrics, labels } = readQuery(expression);
  if (metrics.length === 0) return [`no metric in ${expression}`];
  return metrics.flatMap((metric) => {
    const own = known.get(metric);
    if (own === undefined) return [`no metric ${metric} in ${expression}`];
    return labels.filter((label) => !own.has(label)).map((label) => `${metric} has no label ${label} in ${expression}`);
  });
}

const rules = parse(readFileSync(join(root, 'libs/operator/alerts/nestjs-operator.rules.yaml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};
const dashboard = JSON.parse(readFileSync(join(root, 'libs/operator/dashboards/nestjs-operator.json'), 'utf8')) as {
  panels: { title: string; type: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { query: string | { query: string } }[] };
};

describe('the queries of dashboard and alerts', () => {
  const alerts = rules.groups.flatMap((group) => group.rules);
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);

  it('name metrics and labels that exist', async () => {
    const known = await exposed();
    expect(alerts.length).toBeGreaterThan(10);
    expect(targets.length).toBeGreaterThan(20);
    expect([...alerts, ...targets].flatMap(({ expr }) => problems(expr, known))).toEqual([]);
    const variables = dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query));
    expect(variables).toEqual(['prometheus', 'label_values(nestjs_operator_state, job)']);
  });

  it('are told from others: a name or label that does not exist is found', async () => {
    const known = await exposed();
    expect(problems('sum by (job, shape) (rate(workqueue_adds_total{name="a"}[5m]))', known)).toHaveLength(1);
    expect(problems('max(workqueue_size) > 3', known)).toEqual(['no metric workqueue_size in max(workqueue_size) > 3']);
  });

  it('show labels that the metrics have', async () => {
    const known = await exposed();
    const wrong = [
      ...alerts.map(({ expr, annotations }) => ({ expr, text: annotations.summary.replaceAll('$labels.', '') })),
      ...targets.map(({ expr, legendFormat }) => ({ expr, text: legendFormat })),
    ].flatMap(({ expr, text }) => {
      const shown = [...text.matchAll(/\{\{ ?(\w+) ?\}\}/g)].map(([, label = '']) => label);
      const own = readQuery(expr).metrics.map((metric) => known.get(metric));
      return shown.filter((label) => !own.every((labels) => labels?.has(label)));
    });
    expect(wrong).toEqual([]);
  });

  it('have a row for each part of the operator', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Overview', 'Watches', 'Queue', 'Handlers', 'API', 'Leader']);
  });
});
