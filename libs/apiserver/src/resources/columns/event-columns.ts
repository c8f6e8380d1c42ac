import { valueAt, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import { column, nameColumn, text, wide } from './cells.js';
import { age } from './human-duration.js';

/** Events come in two shapes with the same content. */
const either = (event: KubeObject, ...paths: string[][]): string =>
  paths.map((path) => text(event, ...path)).find((found) => found !== '') ?? '';

const subject = (event: KubeObject, part: string): string =>
  either(event, ['involvedObject', part], ['regarding', part]);

function eventSource(event: KubeObject): string {
  const component = either(event, ['source', 'component'], ['deprecatedSource', 'component']);
  const host = either(event, ['source', 'host'], ['deprecatedSource', 'host']);
  const reporter = either(event, ['reportingComponent'], ['reportingController']);
  const instance = text(event, 'reportingInstance');
  const [name, place] = component === '' ? [reporter, instance] : [component, host];
  return place === '' ? name : `${name}, ${place}`;
}

const eventCount = (event: KubeObject): number => {
  for (const path of [['series', 'count'], ['count'], ['deprecatedCount']]) {
    const count = valueAt(event, path);
    if (typeof count === 'number' && count !== 0) return count;
  }
  return 1;
};

export const eventColumns: readonly TableColumn[] = [
  column('Last Seen', (event, now) =>
    age(
      either(
        event,
        ['series', 'lastObservedTime'],
        ['lastTimestamp'],
        ['deprecatedLastTimestamp'],
        ['firstTimestamp'],
        ['deprecatedFirstTimestamp'],
        ['eventTime'],
      ),
      now,
    ),
  ),
  column('Type', (event) => text(event, 'type')),
  column('Reason', (event) => text(event, 'reason')),
  column('Object', (event) => {
    const name = subject(event, 'name');
    const kind = subject(event, 'kind').toLowerCase();
    return name === '' ? kind : `${kind}/${name}`;
  }),
  wide('Subobject', (event) => subject(event, 'fieldPath')),
  wide('Source', eventSource),
  column('Message', (event) => either(event, ['message'], ['note']).trim()),
  wide('First Seen', (event, now) =>
    age(either(event, ['firstTimestamp'], ['deprecatedFirstTimestamp'], ['eventTime']), now),
  ),
  wide('Count', eventCount),
  { ...nameColumn, priority: 1 },
];
