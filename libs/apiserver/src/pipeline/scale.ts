import { goQuote } from '../cel/library/go-quote.js';
import { clone, isObject, valueAt, type JsonObject, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { protobufType } from '../protobuf/protobuf-body.js';
import { builtinSchema } from '../schemas/builtin-schemas.js';
import { goTypeOfKind } from '../schemas/go-types.js';
import { hasDuplicates } from '../schemas/json-members.js';
import { DecodingError, decodeTyped, type DecodingSource } from '../schemas/typed-decoding.js';
import { errors } from '../status.js';
import type { ObjectResult } from './api-request.js';
import { decodeDocument, noObject } from './body-decoding.js';
import { issuesOf, reportIssues, yamlDuplicates } from './field-issues.js';
import type { ManagedType } from './field-management.js';
import { invalidValue } from './metadata-validation.js';
import { invalidPatch, patched } from './patch.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';
import { changeObject, checkTarget, uidPrecondition, type Change } from './update.js';
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

/** As `scaleOf`, but without replicas there are none: that is what a write begins from. */
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

const operators: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A label selector in the form that queries have, its requirements by key. */
function selectorText(selector: unknown): string {
  const labels = valueAt(selector, ['matchLabels']);
  const expressions = valueAt(selector, ['matchExpressions']);
  const requirements: [key: string, text: string][] = Object.entries(isObject(labels) ? labels : {}).map(
    ([key, value]) => [key, `${key}=${String(value)}`],
  );
  for (const { key = '', operator = '', values = [] } of (expressions ?? []) as Expression[]) {
    requirements.push([key, operators[operator]?.(key, values.toSorted().join(',')) ?? '']);
  }
  return requirements
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

interface Expression {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
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
      const scale = patch ? patchedScale(request, contentType, body, current) : sentScale(request, contentType, body);
      checkTarget(request, scale);
      const { uid = '' } = scale.metadata;
      if (uid !== '' && uid !== current.metadata.uid) throw uidPrecondition(request, uid, current.metadata.uid ?? '');
      // A zero and nothing are the same.
      const { replicas, ...spec } = isObject(scale['spec']) ? scale['spec'] : {};
      scale['spec'] = replicas === 0 ? spec : { ...spec, replicas };
      return scale;
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

const scheme = 'in scheme "pkg/runtime/scheme.go:111"';

function patchedScale(
  { options, warnings }: WriteRequest,
  contentType: string,
  body: string,
  shown: KubeObject,
): KubeObject {
  const patch = patched(builtinSchema('autoscaling', 'v1', 'Scale'), contentType, body, shown);
  const { result } = patch;
  if (!isObject(result)) throw Array.isArray(result) ? invalidPatch(patch, noObject(result)) : errors.rejected();
  const { kind, apiVersion } = result;
  if (patch.source === 'json' && (kind !== 'Scale' || apiVersion !== 'autoscaling/v1')) {
    throw invalidPatch(
      patch,
      `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} ${scheme}`,
    );
  }
  try {
    const { scale, unknown } = decodedScale(result, patch.source);
    const issues = [...patch.issues, ...issuesOf(patch.doubled, unknown, false, patch.source)];
    reportIssues(options.fieldValidation, warnings, issues, (message) => invalidPatch(patch, message));
    return scale;
  } catch (error) {
    if (error instanceof DecodingError) throw invalidPatch(patch, error.message);
    throw error;
  }
}

function sentScale({ options, warnings }: WriteRequest, contentType: string, body: string): KubeObject {
  const sent = decodeDocument(scaleKind, contentType, body);
  const kind = sent['kind'] || 'Scale';
  const apiVersion = sent['apiVersion'] || 'autoscaling/v1';
  if (kind !== 'Scale' || apiVersion !== 'autoscaling/v1') {
    throw errors.badRequest(`no kind is registered for the type v1.Scale ${scheme}`);
  }
  const refused = (why: string): Error =>
    errors.badRequest(`Scale in version "v1" cannot be handled as a Scale: ${why}`);
  try {
    const yaml = contentType === 'application/yaml';
    const { scale, unknown } = decodedScale(sent);
    const doubled = !yaml && contentType !== protobufType && hasDuplicates(body, sent) ? body : undefined;
    const keys = yaml ? yamlDuplicates(body) : [];
    reportIssues(options.fieldValidation, warnings, issuesOf(doubled, unknown, false), refused, keys);
    return scale;
  } catch (error) {
    throw error instanceof DecodingError ? refused(error.message) : error;
  }
}

function decodedScale(sent: JsonObject, source?: DecodingSource): { scale: KubeObject; unknown: readonly string[] } {
  const { value, unknown } = decodeTyped(sent, goTypeOfKind('autoscaling', 'v1', 'Scale'), source);
  return { scale: { ...(value as KubeObject), kind: 'Scale', apiVersion: 'autoscaling/v1' }, unknown };
}

/** The object with the replicas of a scale. */
function scaled({ type, name }: WriteRequest, scale: KubeObject, current: KubeObject): KubeObject {
  const replicas = (valueAt(scale, ['spec', 'replicas']) ?? 0) as number;
  const path = type.custom === undefined ? builtinPaths.spec : type.custom.scalePaths!.spec;
  if (replicas < 0 && type.custom === undefined) {
    throw errors.invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const next = clone(current);
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
