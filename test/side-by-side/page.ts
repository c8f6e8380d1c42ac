import { format } from 'prettier';
import type { Outcome } from './run-scenarios.js';
import { scenarios, type Scenario } from './scenarios.js';

type Outcomes = ReadonlyMap<Scenario, Outcome>;

/** The page of the comparison, as the run had it. */
export async function comparisonPage(kopf: Outcomes, ours: Outcomes): Promise<string> {
  const head = `# Side by side with Kopf

The same handlers, written for Kopf 1.45 and for this project, in the same ten scenarios on kube-apiserver. Written by
\`npm run side-by-side:update\`; the cluster tests fail while it says something else than the run.

Writes are the requests of the operator that change something, Kubernetes events aside: fewer is better.
`;
  const sections = scenarios.map((scenario) => section(scenario, kopf.get(scenario)!, ours.get(scenario)!));
  return format([head, ...sections].join('\n'), { parser: 'markdown', printWidth: 120, proseWrap: 'always' });
}

function section({ name, happens, verdict }: Scenario, kopf: Outcome, ours: Outcome): string {
  const row = (title: string, cell: (outcome: Outcome) => string): string =>
    `| ${title} | ${cell(kopf)} | ${cell(ours)} |`;
  const list = (texts: readonly string[]): string =>
    texts.length === 0 ? 'none' : texts.map((text) => `\`${text}\``).join('<br>');
  return `## ${name[0]!.toUpperCase()}${name.slice(1).replaceAll('-', ' ')}

${happens}

| | Kopf | nestjs-operator |
| --- | --- | --- |
${row('calls', ({ calls }) => list(calls))}
${row('writes', ({ writes }) => String(writes))}
${row('left on the object', ({ left }) => list(left))}

${verdict}
`;
}
