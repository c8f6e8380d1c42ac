import { isObject, valueAt, type JsonObject, type KubeObject } from '../json.js';

/** Labels, phase and finalizer of a Namespace. */
export function prepareNamespace(object: KubeObject, previous: KubeObject | undefined): void {
  const name = object.metadata.name;
  if (name !== undefined) {
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': name };
  }
  if (previous === undefined) {
    object['spec'] = { finalizers: ['kubernetes'] };
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
export function prepareSecret(object: KubeObject): void {
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

export function prepareClaim(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) object['status'] = { phase: 'Pending' };
  if (isObject(object['spec'])) object['spec']['volumeMode'] ??= 'Filesystem';
}

/** A new pod waits, in the class of service that its resources ask for. */
export function preparePod(object: KubeObject, previous: KubeObject | undefined): void {
  if (previous === undefined) object['status'] = { phase: 'Pending', qosClass: qosClass(object) };
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
