import { clone, isObject, valueAt, type JsonObject, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { builtinSchema } from '../schemas/builtin-schemas.js';
import { errors } from '../status.js';
import type { ObjectResult } from './api-request.js';
import { decodeDocument } from './body-decoding.js';
import type { ManagedType } from './field-management.js';
import { invalidValue } from './metadata-validation.js';
import { patched } from './patch.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import { changeObject, type Change } from './update.js';
import type { WriteRequest } from './write-request.js';

/** The kind that the scale subresource shows. */
export const scaleKind: ManagedType = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  storage: 'autoscaling/scales',
  status: false,
  get schema() {
    return builtinSchema('autoscaling', 'v1', 'Scale');
  },
};

const builtinPaths = {
  spec: ['spec', 'replicas'],
  status: ['status', 'replicas'],
  selector: ['spec', 'selector'],
} as const;

/** An object as its scale subresource shows it; a custom one must say how many replicas it wants. */
export function scaleOf(type: ResourceType, object: KubeObject): KubeObject {
  const path = type.custom?.scalePaths?.spec;
  if (path !== undefined && typeof valueAt(object, path) !== 'number') {
    throw errors.internal(`the spec replicas field ${JSON.stringify(`.${path.join('.')}`)} does not exist`);
  }
  return shownScale(type, object);
}

function shownScale(type: ResourceType, object: KubeObject): KubeObject {
  const paths = type.custom === undefined ? builtinPaths : type.custom.scalePaths!;
  const replicas = valueAt(object, paths.spec);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = paths.selector === undefined ? undefined : valueAt(object, paths.selector);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    // A zero is left out, as Go leaves it out.
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: valueAt(object, paths.status) ?? 0,
      ...(selector === undefined ? {} : { selector: typeof selector === 'string' ? selector : selectorText(selector) }),
    },
  } as KubeObject;
}

function selectorText(selector: unknown): string {
  const labels = valueAt(selector, ['matchLabels']);
  return isObject(labels)
    ? Object.entries(labels)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(',')
    : '';
}

/** PUT or PATCH of the scale subresource. */
export function* writeScale(
  context: ServerContext,
  request: WriteRequest,
  patch: boolean,
  contentType: string,
  body: string,
): Steps<ObjectResult> {
  return yield* changeScale(context, request, {
    next(current) {
      const scale = patch
        ? patched(scaleKind.schema, contentType, body, current).result
        : decodeDocument(scaleKind, contentType, body);
      if (!isObject(scale) || scale['kind'] !== 'Scale') throw errors.badRequest('expected a Scale of autoscaling/v1');
      const next = scale as KubeObject;
      next.metadata = { ...next.metadata };
      // A zero and nothing are the same.
      const { replicas, ...spec } = isObject(scale['spec']) ? scale['spec'] : {};
      next['spec'] = replicas === 0 ? spec : { ...spec, replicas };
      return next;
    },
  });
}

/** Changes the scale of an object, which shows the managed fields of the replicas while it is changed. */
export function* changeScale(
  context: ServerContext,
  request: WriteRequest,
  change: Pick<Change, 'next' | 'apply'>,
): Steps<ObjectResult> {
  const { type } = request;
  const { fieldManagement, representations } = context;
  const result = yield* changeObject(context, request, {
    ...change,
    kind: scaleKind,
    show(object) {
      const scale = shownScale(type, object);
      const managedFields = fieldManagement.scaleEntries(type, object);
      if (managedFields !== undefined) scale.metadata.managedFields = managedFields;
      return scale;
    },
    into(scale, current) {
      const next = scaled(request, scale, current);
      const entries = fieldManagement.entriesAfterScale(type, current, scale.metadata.managedFields);
      if (entries === undefined) delete next.metadata.managedFields;
      else next.metadata.managedFields = entries;
      return next;
    },
  } as Change);
  return { ...result, document: shownScale(type, representations.object(type, result.stored!)) };
}

/** The object with the replicas of a scale. */
function scaled({ type, name }: WriteRequest, scale: KubeObject, current: KubeObject): KubeObject {
  const replicas = valueAt(scale, ['spec', 'replicas']) ?? 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    throw type.custom === undefined
      ? errors.invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
          invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
        ])
      : errors.invalid(type, name, [
          invalidValue(`.${type.custom.scalePaths!.spec.join('.')}`, replicas, 'should be a non-negative integer'),
        ]);
  }
  const next = clone(current);
  const path = type.custom === undefined ? builtinPaths.spec : type.custom.scalePaths!.spec;
  let parent: JsonObject = next;
  for (const part of path.slice(0, -1)) {
    if (!isObject(parent[part])) parent[part] = {};
    parent = parent[part] as JsonObject;
  }
  parent[path.at(-1)!] = replicas;
  const version = valueAt(scale, ['metadata', 'resourceVersion']);
  if (typeof version === 'string' && version !== '') next.metadata = { ...next.metadata, resourceVersion: version };
  return next;
}
