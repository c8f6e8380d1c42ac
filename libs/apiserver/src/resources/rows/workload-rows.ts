import {
  controllerRevisionColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from '../columns/workload-columns.js';
import { prepareDaemonSet, prepareJob } from '../preparation.js';
import type { ResourceRow } from '../resource-row.js';

const apps = { group: 'apps', version: 'v1', status: true, generation: true, categories: ['all'] };

/** What runs pods. */
export const workloadRows: readonly ResourceRow[] = [
  { ...apps, plural: 'deployments', kind: 'Deployment', columns: deploymentColumns, short: ['deploy'], scale: true },
  { ...apps, plural: 'replicasets', kind: 'ReplicaSet', columns: replicaSetColumns, short: ['rs'], scale: true },
  { ...apps, plural: 'statefulsets', kind: 'StatefulSet', columns: statefulSetColumns, short: ['sts'], scale: true },
  {
    ...apps,
    plural: 'daemonsets',
    kind: 'DaemonSet',
    prepare: prepareDaemonSet,
    columns: daemonSetColumns,
    short: ['ds'],
  },
  { group: 'apps', plural: 'controllerrevisions', kind: 'ControllerRevision', columns: controllerRevisionColumns },
  {
    group: 'batch',
    plural: 'jobs',
    kind: 'Job',
    prepare: prepareJob,
    columns: jobColumns,
    status: true,
    generation: true,
    categories: ['all'],
    fields: { 'status.successful': ['status', 'succeeded'] },
    absent: { 'status.successful': '0' },
  },
  {
    group: 'batch',
    plural: 'cronjobs',
    kind: 'CronJob',
    columns: cronJobColumns,
    short: ['cj'],
    status: true,
    generation: true,
    categories: ['all'],
  },
];
