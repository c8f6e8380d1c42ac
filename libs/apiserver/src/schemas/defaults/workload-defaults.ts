import { isObject, type JsonObject } from '../../json.js';
import { given, memberOf, type Defaults } from './given.js';

/** A strategy, with what belongs to the one that is the default. */
function strategy(spec: JsonObject, member: string, rolling: JsonObject | undefined): void {
  const found = memberOf(spec, member);
  given(found, { type: 'RollingUpdate' });
  if (found['type'] === 'RollingUpdate' && rolling !== undefined) given(memberOf(found, 'rollingUpdate'), rolling);
}

/** What runs pods. */
export const workloadDefaults: Defaults = {
  'apps.v1.DeploymentSpec': (spec) => {
    given(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    strategy(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' });
  },
  'apps.v1.ReplicaSetSpec': (spec) => given(spec, { replicas: 1 }),
  'apps.v1.StatefulSetSpec': (spec) => {
    given(spec, { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: 'OrderedReady' });
    given(memberOf(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
    strategy(spec, 'updateStrategy', { partition: 0 });
    const claims: unknown = spec['volumeClaimTemplates'];
    for (const claim of Array.isArray(claims) ? claims : []) {
      if (isObject(claim)) given(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    }
  },
  'apps.v1.DaemonSetSpec': (spec) => {
    given(spec, { revisionHistoryLimit: 10 });
    strategy(spec, 'updateStrategy', { maxUnavailable: 1, maxSurge: 0 });
  },
  'core.v1.ReplicationController': (object) => {
    const { spec } = object;
    const labels = isObject(spec) && isObject(spec['template']) ? memberOf(spec['template'], 'metadata')['labels'] : {};
    if (!isObject(labels) || !isObject(spec) || Object.keys(labels).length === 0) return;
    given(spec, { selector: labels });
    given(memberOf(object, 'metadata'), { labels });
  },
  'core.v1.ReplicationControllerSpec': (spec) => given(spec, { replicas: 1 }),
  // Those of a CronJob's template are filled in once it is one.
  'batch.v1.Job': (object) => {
    const spec = memberOf(object, 'spec');
    if (spec['completions'] === undefined && spec['parallelism'] === undefined) given(spec, { completions: 1 });
    given(spec, {
      parallelism: 1,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
      backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2_147_483_647,
    });
  },
  'batch.v1.CronJobSpec': (spec) =>
    given(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
};
