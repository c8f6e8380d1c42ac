import type { CustomVersion } from '../custom/custom-version.js';
import { validateSchema } from '../custom/schema-validation.js';
import { checkRules } from '../custom/validation-rules.js';
import { scaleSpecCauses, scaleStatusCauses } from '../custom/validation/scale-values.js';
import { definitionCauses } from '../custom/definition-validation.js';
import { deepEqual, type KubeObject } from '../json.js';
import { storageOf, type ResourceType } from '../resources/resource-type.js';
import { errors, type StatusCause } from '../status.js';
import { finalizerWarnings, metadataCauses } from './metadata-validation.js';
import { decodeInto } from './object-decoding.js';
import type { ServerContext } from './server-context.js';
import type { Steps } from './steps.js';

/** Makes an object one of its type, where that was not done while its body was decoded. */
export function normalize(object: KubeObject, type: ResourceType): void {
  decodeInto(object, type);
  delete object.metadata['selfLink'];
  type.defaults?.(object);
}

/** What an update is validated against. */
export interface UpdateCheck {
  readonly previous: KubeObject;
  /** What is wrong with changes of fields that only the server sets. */
  readonly changed: readonly StatusCause[];
  readonly subresource: string | undefined;
}

/** Validates a new state of an object, and adds warnings about it. Throws 422 with every cause. */
export function* validate(
  context: ServerContext,
  object: KubeObject,
  type: ResourceType,
  update: UpdateCheck | undefined,
  warnings: string[],
): Steps<void> {
  const causes: StatusCause[] = metadataCauses(object, type, context.limits.annotations, update !== undefined);
  if (update !== undefined) {
    const found = [...update.changed, ...updateCauses(object, update.previous)];
    // The real server checks the metadata of an update twice, and says so twice.
    causes.push(...found, ...found);
    causes.push(...immutableCauses(object, update.previous));
  }
  if (type.custom !== undefined) {
    const { schema } = type.custom;
    causes.push(...customCauses(object, type.custom, update));
    const found = yield* checkRules(object, { schema, old: update?.previous, causes });
    causes.push(...found.causes);
    warnings.push(...found.warnings);
  }
  const own = type.causes?.(object, update?.previous) ?? [];
  const found = isSteps(own) ? yield* own : own;
  // The metadata of an event of the core group is looked at when nothing else is wrong with it.
  if (type.storage === storageOf('', 'events') && type.group === '' && update === undefined && found.length > 0)
    causes.length = 0;
  causes.push(...found);
  if (type.plural === 'customresourcedefinitions' && update?.subresource === undefined) {
    causes.push(...(yield* definitionCauses(object, update?.previous, warnings)));
  }
  if (causes.length > 0) throw errors.invalid(type.invalidAs ?? type, object.metadata.name ?? '', causes);
  if (isTooLarge(context, object)) {
    // Ownership is given up before the object is.
    delete object.metadata.managedFields;
    if (isTooLarge(context, object)) throw errors.plain('etcdserver: request is too large');
  }
  warnings.push(...finalizerWarnings(object));
}

const isSteps = (
  causes: readonly StatusCause[] | Steps<readonly StatusCause[]>,
): causes is Steps<readonly StatusCause[]> => !Array.isArray(causes);

const isTooLarge = ({ limits }: ServerContext, object: KubeObject): boolean =>
  Buffer.byteLength(JSON.stringify(object)) > limits.object;

/** What a custom resource's definition has against it. */
function customCauses(object: KubeObject, custom: CustomVersion, update: UpdateCheck | undefined): StatusCause[] {
  const { schema } = custom;
  const old = update?.previous;
  if (update?.subresource !== 'status') {
    return [
      ...validateSchema(object, schema, { old }),
      ...scaleSpecCauses(object, custom),
      ...scaleStatusCauses(object, custom),
    ];
  }
  const { status } = schema.properties ?? {};
  const isChecked = status !== undefined && object['status'] !== undefined;
  return [
    // Messages name fields as seen from there.
    ...(isChecked ? validateSchema(object['status'], status, { old: old?.['status'], base: 'status' }) : []),
    ...scaleStatusCauses(object, custom),
  ];
}

function updateCauses(object: KubeObject, previous: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  const before = new Set(previous.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  if (previous.metadata.deletionTimestamp !== undefined && added.length > 0) {
    const shown = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
    causes.push({
      reason: 'FieldValueForbidden',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`,
      field: 'metadata.finalizers',
    });
  }
  return causes;
}

/** ConfigMaps and Secrets that are marked as immutable. */
function immutableCauses(object: KubeObject, previous: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  if (previous['immutable'] === true) {
    for (const key of ['data', 'binaryData', 'immutable']) {
      if (!deepEqual(object[key], previous[key])) {
        causes.push({
          reason: 'FieldValueForbidden',
          message: 'Forbidden: field is immutable when `immutable` is set',
          field: key,
        });
      }
    }
  }
  return causes;
}
