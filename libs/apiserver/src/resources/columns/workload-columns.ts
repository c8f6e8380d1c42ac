import { isObject, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import {
  ageColumn,
  column,
  containerColumns,
  items,
  labelsText,
  nameColumn,
  number,
  orNone,
  selectorText,
  text,
  wide,
} from './cells.js';
import { age, humanDuration } from './human-duration.js';

const template = ['spec', 'template', 'spec'];

const integer = (name: string, ...path: string[]): TableColumn =>
  column(name, (object) => number(object, ...path), 'integer');

const selector = wide('Selector', (object) =>
  selectorText(object['spec'] === undefined ? undefined : specOf(object)['selector']),
);

const specOf = (object: KubeObject): Record<string, unknown> => (isObject(object['spec']) ? object['spec'] : {});

const ready = column(
  'Ready',
  (object) => `${number(object, 'status', 'readyReplicas')}/${number(object, 'spec', 'replicas')}`,
);

export const deploymentColumns: readonly TableColumn[] = [
  nameColumn,
  ready,
  column('Up-to-date', (object) => number(object, 'status', 'updatedReplicas')),
  column('Available', (object) => number(object, 'status', 'availableReplicas')),
  ageColumn,
  ...containerColumns(...template),
  selector,
];

export const replicaSetColumns: readonly TableColumn[] = [
  nameColumn,
  integer('Desired', 'spec', 'replicas'),
  integer('Current', 'status', 'replicas'),
  integer('Ready', 'status', 'readyReplicas'),
  ageColumn,
  ...containerColumns(...template),
  selector,
];

/** A ReplicationController selects by a map of labels. */
export const replicationControllerColumns: readonly TableColumn[] = [
  ...replicaSetColumns.slice(0, -1),
  wide('Selector', (object) => labelsText(specOf(object)['selector'])),
];

export const statefulSetColumns: readonly TableColumn[] = [
  nameColumn,
  ready,
  ageColumn,
  ...containerColumns(...template),
];

export const daemonSetColumns: readonly TableColumn[] = [
  nameColumn,
  integer('Desired', 'status', 'desiredNumberScheduled'),
  integer('Current', 'status', 'currentNumberScheduled'),
  integer('Ready', 'status', 'numberReady'),
  integer('Up-to-date', 'status', 'updatedNumberScheduled'),
  integer('Available', 'status', 'numberAvailable'),
  column('Node Selector', (object) => {
    const spec = specOf(object)['template'];
    const pod = isObject(spec) && isObject(spec['spec']) ? spec['spec'] : {};
    return labelsText(pod['nodeSelector']);
  }),
  ageColumn,
  ...containerColumns(...template),
  selector,
];

export const controllerRevisionColumns: readonly TableColumn[] = [
  nameColumn,
  column('Controller', ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return '<none>';
    const [group = '', version] = owner.apiVersion.split('/');
    return `${owner.kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${owner.name}`;
  }),
  column('Revision', (object) => number(object, 'revision')),
  ageColumn,
];

export const podTemplateColumns: readonly TableColumn[] = [
  nameColumn,
  ...containerColumns('template', 'spec').map((each) => ({ ...each, priority: 0 })),
  column('Pod Labels', (object) => {
    const { template: pod } = object;
    const metadata = isObject(pod) ? pod['metadata'] : undefined;
    return labelsText(isObject(metadata) ? metadata['labels'] : undefined);
  }),
];

const hasCondition = (object: KubeObject, type: string): boolean =>
  items(object, 'status', 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  );

function jobStatus(job: KubeObject): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (hasCondition(job, 'Suspended')) return 'Suspended';
  if (hasCondition(job, 'FailureTarget')) return 'FailureTarget';
  if (hasCondition(job, 'SuccessCriteriaMet')) return 'SuccessCriteriaMet';
  return 'Running';
}

function completions(job: KubeObject): string {
  const spec = specOf(job);
  const succeeded = number(job, 'status', 'succeeded');
  if (typeof spec['completions'] === 'number') return `${succeeded}/${spec['completions']}`;
  const parallelism = typeof spec['parallelism'] === 'number' ? spec['parallelism'] : 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

export const jobColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', jobStatus),
  column('Completions', completions),
  column('Duration', (job, now) => {
    const start = text(job, 'status', 'startTime');
    if (start === '') return '';
    const end = text(job, 'status', 'completionTime');
    return humanDuration((end === '' ? now : Date.parse(end)) - Date.parse(start));
  }),
  ageColumn,
  ...containerColumns(...template),
  selector,
];

export const cronJobColumns: readonly TableColumn[] = [
  nameColumn,
  column('Schedule', (object) => text(object, 'spec', 'schedule')),
  column('Timezone', (object) => orNone(text(object, 'spec', 'timeZone'))),
  column(
    'Suspend',
    (object) => {
      const { suspend } = specOf(object);
      return suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False';
    },
    'boolean',
  ),
  column('Active', (object) => items(object, 'status', 'active').length, 'integer'),
  column('Last Schedule', (object, now) => {
    const last = text(object, 'status', 'lastScheduleTime');
    return last === '' ? '<none>' : age(last, now);
  }),
  ageColumn,
  ...containerColumns('spec', 'jobTemplate', 'spec', 'template', 'spec'),
  wide('Selector', (object) => {
    const job = specOf(object)['jobTemplate'];
    const spec = isObject(job) ? job['spec'] : undefined;
    return selectorText(isObject(spec) ? spec['selector'] : undefined);
  }),
];
