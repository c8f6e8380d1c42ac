import { deepEqual, isObject, valueAt, type JsonObject, type KubeObject } from '../json.js';

/** The label by which a Namespace is selected by its name. */
export function labelNamespace({ metadata }: KubeObject): void {
  const { name } = metadata;
  if (name !== undefined) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': name };
}

/** Phase and finalizer of a Namespace. */
export function prepareNamespace(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) {
    const given = finalizersOf(object)['finalizers'];
    const others = Array.isArray(given) ? given.filter((finalizer) => finalizer !== 'kubernetes') : [];
    object['spec'] = { finalizers: [...others, 'kubernetes'] };
    object['status'] = { phase: 'Active' };
  } else {
    // Only /finalize changes them.
    object['spec'] = { ...(isObject(object['spec']) ? object['spec'] : {}), ...finalizersOf(previous) };
  }
}

const finalizersOf = (namespace: KubeObject): JsonObject => {
  const spec = namespace['spec'];
  return isObject(spec) && spec['finalizers'] !== undefined ? { finalizers: spec['finalizers'] } : {};
};

/** Leaves empty data out. */
export function dropEmptyData(object: KubeObject): void {
  for (const field of ['data', 'binaryData']) {
    const value = object[field];
    if (value === null || (isObject(value) && Object.keys(value).length === 0)) delete object[field];
  }
}

/** Turns the plain data of a Secret into its data. */
export function completeSecret(object: KubeObject): void {
  const plain = object['stringData'];
  if (isObject(plain)) {
    const data: JsonObject = { ...(isObject(object['data']) ? object['data'] : {}) };
    for (const [key, value] of Object.entries(plain)) data[key] = Buffer.from(String(value)).toString('base64');
    object['data'] = data;
  }
  delete object['stringData'];
  dropEmptyData(object);
  object['type'] ??= 'Opaque';
}

/** A new claim waits. */
export function prepareClaim(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) object['status'] = { phase: 'Pending' };
}

/** Pods of a new Job are known by its uid, unless the Job says by what. */
export function prepareJob(object: KubeObject, previous: KubeObject | undefined): void {
  const { spec, metadata } = object;
  if (previous !== undefined || !isObject(spec) || spec['manualSelector'] === true) return;
  const { uid = '', name = '' } = metadata;
  const labels: Record<string, string> = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const template = isObject(spec['template']) ? spec['template'] : {};
  const own = isObject(template['metadata']) ? template['metadata'] : {};
  template['metadata'] = { ...own, labels: { ...(isObject(own['labels']) ? own['labels'] : {}), ...labels } };
  spec['template'] = template;
  spec['selector'] ??= { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  // A Job without labels has those of its pods.
  metadata.labels ??= labels;
}

const templateGeneration = 'deprecated.daemonset.template.generation';

/** The generation of a DaemonSet's template, as old clients know it. */
export function prepareDaemonSet(object: KubeObject, previous: KubeObject | undefined): void {
  const before = previous?.metadata.annotations?.[templateGeneration] ?? '0';
  const same =
    previous !== undefined && deepEqual(valueAt(previous, ['spec', 'template']), valueAt(object, ['spec', 'template']));
  const generation = same ? before : String(Number(before) + 1);
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: generation };
}

/** A new volume waits. */
export function prepareVolume(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous !== undefined) return;
  object['status'] = { phase: 'Pending', lastPhaseTransitionTime: object.metadata.creationTimestamp };
}

/** A new node takes no pods before it is ready. */
export function prepareNode(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous !== undefined) return;
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const taints = Array.isArray(spec['taints']) ? spec['taints'].filter(isObject) : [];
  const taint = { key: notReady, effect: 'NoSchedule' };
  const isTainted = taints.some(({ key, effect }) => key === taint.key && effect === taint.effect);
  if (!isTainted) object['spec'] = { ...spec, taints: [...taints, taint] };
}

const notReady = 'node.kubernetes.io/not-ready';
const nodeTroubles = [notReady, 'node.kubernetes.io/unreachable'];

/** A new pod waits, in the class of service that its resources ask for, and bears short troubles of its node. */
export function preparePod(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) object['status'] = { phase: 'Pending', qosClass: qosClass(object) };
  const { spec } = object;
  if (!isObject(spec)) return;
  spec['priority'] ??= 0;
  spec['preemptionPolicy'] ??= 'PreemptLowerPriority';
  const tolerations = Array.isArray(spec['tolerations']) ? spec['tolerations'].filter(isObject) : [];
  const bears = (key: string): boolean =>
    tolerations.some(
      (each) =>
        (each['key'] === key || each['key'] === undefined) &&
        (each['effect'] === 'NoExecute' || each['effect'] === undefined),
    );
  spec['tolerations'] = [
    ...tolerations,
    ...nodeTroubles
      .filter((key) => !bears(key))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })),
  ];
}

const computeResources = ['cpu', 'memory'];

function qosClass(pod: KubeObject): string {
  const containers = ['containers', 'initContainers'].flatMap((list) => {
    const found = valueAt(pod, ['spec', list]);
    return Array.isArray(found) ? found.filter(isObject) : [];
  });
  const quantity = (container: JsonObject, part: string, name: string): unknown =>
    valueAt(container, ['resources', part, name]);
  const asks = containers.some((container) =>
    computeResources.some(
      (name) => (quantity(container, 'requests', name) ?? quantity(container, 'limits', name)) !== undefined,
    ),
  );
  if (!asks) return 'BestEffort';
  const isFull = containers.every((container) =>
    computeResources.every((name) => {
      const limit = quantity(container, 'limits', name);
      return limit !== undefined && (quantity(container, 'requests', name) ?? limit) === limit;
    }),
  );
  return isFull ? 'Guaranteed' : 'Burstable';
}

/** How the addresses of a Service are chosen; the addresses themselves are left to be given. */
export function prepareService(object: KubeObject): void {
  const { spec } = object;
  if (!isObject(spec) || spec['type'] === 'ExternalName') return;
  const address = spec['clusterIP'];
  if (typeof address === 'string' && address !== '') spec['clusterIPs'] ??= [address];
  // Who knows its endpoints by itself is taken to know those of both families.
  const both = address === 'None' && spec['selector'] === undefined;
  spec['ipFamilies'] ??= both ? ['IPv4', 'IPv6'] : ['IPv4'];
  spec['ipFamilyPolicy'] ??= both ? 'RequireDualStack' : 'SingleStack';
}
