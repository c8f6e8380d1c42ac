import { isObject, type JsonObject } from '../../json.js';
import { given, memberOf, type Defaults } from './given.js';

const protocol = (object: JsonObject): void => given(object, { protocol: 'TCP' });

/** What scales by itself looks at the processor where nothing else is said. */
const processor = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

const isExposed = (spec: JsonObject): boolean => spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

/** Limits of containers that follow from others, in this order. */
const limitSources = [
  ['default', 'max'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'min'],
] as const;

/** All that is neither a pod nor runs some. */
export const otherDefaults: Defaults = {
  'core.v1.ServicePort': (object) => {
    // An empty port is that of the service.
    if (object['targetPort'] === 0 || object['targetPort'] === '') object['targetPort'] = object['port'];
  },
  'core.v1.ServiceSpec': (spec) => {
    given(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    if (spec['type'] === 'ExternalName') return;
    given(spec, { internalTrafficPolicy: 'Cluster' });
    if (isExposed(spec) || Array.isArray(spec['externalIPs'])) given(spec, { externalTrafficPolicy: 'Cluster' });
    if (spec['type'] === 'LoadBalancer') given(spec, { allocateLoadBalancerNodePorts: true });
    if (spec['sessionAffinity'] === 'ClientIP') {
      given(memberOf(memberOf(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 });
    }
  },
  'core.v1.EndpointPort': protocol,
  'core.v1.PersistentVolumeSpec': (spec) =>
    given(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
  'core.v1.PersistentVolumeClaimSpec': (spec) => given(spec, { volumeMode: 'Filesystem' }),
  'core.v1.PersistentVolumeClaim': (object) => given(memberOf(object, 'status'), { phase: 'Pending' }),
  'core.v1.NodeStatus': (status) => {
    if (isObject(status['capacity'])) given(status, { allocatable: status['capacity'] });
  },
  'core.v1.LimitRangeItem': (item) => {
    if (item['type'] !== 'Container') return;
    for (const [member, source] of limitSources) {
      if (isObject(item[source])) given(memberOf(item, member), item[source]);
    }
  },
  'discovery.v1.EndpointPort': (object) => given(object, { name: '', protocol: 'TCP' }),
  'networking.v1.NetworkPolicyPort': protocol,
  'networking.v1.NetworkPolicySpec': (spec) =>
    given(spec, { policyTypes: Array.isArray(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress'] }),
  'networking.v1.IngressClassParametersReference': (object) => given(object, { scope: 'Cluster' }),
  'autoscaling.v2.HorizontalPodAutoscalerSpec': (spec) => {
    given(spec, { minReplicas: 1 });
    if (!Array.isArray(spec['metrics'])) given(spec, { metrics: [processor] });
    const { behavior } = spec;
    if (!isObject(behavior)) return;
    given(memberOf(behavior, 'scaleUp'), {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ],
    });
    given(memberOf(behavior, 'scaleDown'), {
      selectPolicy: 'Max',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    });
  },
  'storage.v1.StorageClass': (object) => given(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'scheduling.v1.PriorityClass': (object) => given(object, { preemptionPolicy: 'PreemptLowerPriority' }),
};
