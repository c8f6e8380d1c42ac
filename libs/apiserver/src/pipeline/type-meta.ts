import { goQuote } from '../cel/library/go-quote.js';
import type { CustomVersion } from '../custom/custom-version.js';
import { prune } from '../custom/pruning.js';
import { clone, isObject, valueAt, type JsonObject, type KubeObject } from '../json.js';
import { messageOfKind } from '../protobuf/message-notation.js';
import { groupVersion, type ResourceType } from '../resources/resource-type.js';
import { ApiError, errors } from '../status.js';
import { invalidValue } from './metadata-validation.js';

/** Kinds that belong to no resource and are known in every group. */
const commonKinds = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
]);

/** What the real server says of a kind that it does not know. */
export const noSuchKind = (apiVersion: string, kind: string): string =>
  `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;

/** Makes sure that a decoded body says that it is an object of `type`, or does not say what it is. */
export function checkTypeMeta(
  type: ResourceType,
  body: JsonObject,
  refuse: (why: string) => never,
  text: string,
): KubeObject {
  const custom = type.custom !== undefined;
  for (const field of ['apiVersion', 'kind']) {
    const value = body[field];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      refuse(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go struct field .${field} of type string`,
      );
    }
  }
  const object = body as KubeObject;
  const given = object.apiVersion ?? '';
  if (given.split('/').length > 2) refuse(`unexpected GroupVersion string: ${given}`);
  if (custom && (object.kind ?? '') === '') refuse(`Object 'Kind' is missing in '${text}'`);
  if (!custom) {
    // Nothing and an empty text are the same.
    object.kind ||= type.kind;
    object.apiVersion ||= groupVersion(type);
  }
  const wanted = groupVersion(type);
  if (custom && given !== wanted) throw otherVersion(type, object);
  if (object.kind !== type.kind || object.apiVersion !== wanted) {
    throw custom ? otherCustomKind(type, object) : otherKind(type, object);
  }
  const metadata: unknown = object.metadata;
  if (metadata === undefined || metadata === null) object.metadata = {};
  else if (!isObject(metadata)) {
    const field = custom ? 'value' : `struct field ${type.kind}.metadata`;
    throw errors.badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal ${goType(metadata)} into Go ${field} of type v1.ObjectMeta`,
    );
  }
  return object;
}

/** What the real server calls the type of a JSON value. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean'
    ? 'bool'
    : isObject(value)
      ? 'object'
      : typeof value === 'string'
        ? 'string'
        : 'number';
}

function otherVersion(type: ResourceType, object: KubeObject): ApiError {
  const given = object.apiVersion ?? '';
  const refused = errors.badRequest(
    `the API version in the data (${given}) does not match the expected API version (${groupVersion(type)})`,
  );
  const group = given.slice(0, Math.max(0, given.indexOf('/')));
  return type.custom !== undefined && group === type.group
    ? new ApiError(refused.status, unknownInVersion(type.custom, object))
    : refused;
}

/** What is unknown in an object by the schema of its own version, where there is such a version. */
function unknownInVersion({ schemas }: CustomVersion, object: KubeObject): string[] {
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  const schema = Object.hasOwn(schemas, version) ? schemas[version] : undefined;
  if (schema === undefined) return unknownInOtherVersion(object, true);
  return prune(clone(object), schema)
    .sort()
    .map((path) => `unknown field "${path}"`);
}

/** An object of a version that is not known has no schema, so all of its content is unknown. */
export function unknownInOtherVersion(object: KubeObject, metadata: boolean): string[] {
  const known = ['apiVersion', 'kind', ...(metadata ? ['metadata'] : [])];
  return Object.keys(object)
    .filter((key) => !known.includes(key))
    .sort()
    .map((key) => `unknown field "${key}"`);
}

function otherCustomKind(type: ResourceType, object: KubeObject): ApiError {
  const name = valueAt(object, ['metadata', 'name']);
  return errors.invalid({ group: type.group, kind: object.kind }, typeof name === 'string' ? name : '', [
    invalidValue('kind', object.kind, `must be ${type.kind}`),
  ]);
}

function otherKind(type: ResourceType, object: KubeObject): ApiError {
  const { apiVersion, kind } = object;
  const why = whyOtherKind(type, object);
  if (why === undefined) return otherVersion(type, { apiVersion, kind, metadata: {} });
  return errors.badRequest(
    `${kind} in version ${goQuote(versionOf(apiVersion))} cannot be handled as a ${type.kind}: ${why}`,
  );
}

/** Why an object of another kind or version is none of a built-in type; undefined where only its version is another. */
export function whyOtherKind(
  type: ResourceType,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): string | undefined {
  if (!isKnown(type, apiVersion, kind)) return noSuchKind(apiVersion, kind);
  // The same kind in another version can be converted, so all that is wrong is the version.
  return kind === type.kind && internalPackage(apiVersion) === internalPackage(groupVersion(type))
    ? undefined
    : `converting (${versionOf(apiVersion)}.${kind}) to (${internalPackage(groupVersion(type))}.${type.kind}): unknown conversion`;
}

const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf('/') + 1);

/** The name of the package in which the real server keeps the kinds of a group. */
export function internalPackage(apiVersion: string): string {
  const group = apiVersion.includes('/') ? apiVersion.split(/[./]/)[0]! : 'core';
  return group === 'events' ? 'core' : group;
}

/** Definitions of custom resources are served apart, and know only their own kinds. */
const isOfDefinitions = (apiVersion: string): boolean => apiVersion.startsWith('apiextensions.k8s.io/');

/** Versions that are not served any more but still understood, by group. */
const formerVersions: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io': 'v1alpha1 v1beta1',
  'apiextensions.k8s.io': 'v1beta1',
  apps: 'v1beta1 v1beta2',
  'authentication.k8s.io': 'v1alpha1 v1beta1',
  'authorization.k8s.io': 'v1beta1',
  batch: 'v1beta1',
  'certificates.k8s.io': 'v1alpha1 v1beta1',
  'coordination.k8s.io': 'v1alpha2 v1beta1',
  'discovery.k8s.io': 'v1beta1',
  'events.k8s.io': 'v1beta1',
  'networking.k8s.io': 'v1beta1',
  policy: 'v1beta1',
  'rbac.authorization.k8s.io': 'v1alpha1 v1beta1',
  'scheduling.k8s.io': 'v1alpha2 v1beta1',
  'storage.k8s.io': 'v1alpha1 v1beta1',
};

/** A version in which the kinds of a former version are described. */
function describedVersion(apiVersion: string): string {
  const [group = '', version = ''] = apiVersion.split('/');
  const former = Object.hasOwn(formerVersions, group) ? formerVersions[group]!.split(' ') : [];
  return former.includes(version) ? `${group}/v1` : apiVersion;
}

function isKnown(type: ResourceType, apiVersion: string, kind: string): boolean {
  if (isOfDefinitions(groupVersion(type)) !== isOfDefinitions(apiVersion)) return false;
  const single = kind.endsWith('List') && kind !== 'List' ? kind.slice(0, -'List'.length) : kind;
  return commonKinds.has(kind) || kind === 'List' || messageOfKind(describedVersion(apiVersion), single) !== undefined;
}
