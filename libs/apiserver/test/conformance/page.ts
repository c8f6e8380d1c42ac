import { fileURLToPath } from 'node:url';
import { divergences } from './divergences.js';
import { recordedVersion } from './goldens.js';
import type { Counts, Report } from './report.js';

/** Where the page stands. */
export const pageFile = fileURLToPath(new URL('../../../../docs/conformance.md', import.meta.url));

/** How many cases of each group came out how, as a table. */
export function matrix({ groups, total }: Report): string[] {
  const row = (name: string, { equal, divergent, failed }: Counts): string[] =>
    [name, equal + divergent + failed, equal, divergent, failed].map(String);
  return table(
    ['group', 'cases', 'equal', 'divergent', 'failed'],
    [...[...groups].map(([name, counts]) => row(name, counts)), row('all', total)],
  );
}

/** The page of the documentation that says how the embedded server compares with the real one. */
export function conformancePage(report: Report): string {
  const { total } = report;
  const share = (100 * total.equal) / (total.equal + total.divergent + total.failed);
  return [
    '# Conformance',
    '',
    `How the embedded API server compares with kube-apiserver ${recordedVersion}, case by case. Written by \`npm run conformance:update\`;`,
    'a test fails while it says something else than the run. [The design note](design/apiserver.md) says how the cases work.',
    '',
    'A case sends raw HTTP requests to one server and writes down what it is answered: status, headers, the whole body, and of a',
    'stream its lines in order and how it was over. **Equal** means that both servers answered alike to the last of these,',
    '**divergent** that they did not, for a reason that stands below, **failed** that they did not and should have.',
    '',
    ...matrix(report),
    '',
    `${(Math.floor(share * 10) / 10).toFixed(1)} % of the cases are equal.`,
    '',
    '## Divergences',
    '',
    ...(divergences.length === 0
      ? ['None.']
      : table(
          ['group', 'case', 'reason'],
          divergences.map(({ group, case: name, reason }) => [group, name, reason.replaceAll('|', '\\|')]),
        )),
    '',
  ].join('\n');
}

/** A table as the formatter of this repository writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, at) => Math.max(3, name.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}
