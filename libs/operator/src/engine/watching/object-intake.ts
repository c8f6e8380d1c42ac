import { MalformedObjectError } from '../../errors/malformed-object.error.js';
import { objectKey } from '../kube-object.js';
import type { StoredObject } from '../kube-object.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Logger } from '../ports/index.js';
import { apiVersionOf, resourceName } from '../resource.js';
import type { Resource } from '../resource.js';

export interface IntakeOptions {
  readonly resource: Resource;
  readonly config: Pick<OperatorConfig['watching'], 'keepManagedFields' | 'transform'>;
  readonly logger: Logger;
}

/** Turns what the server sent into what is stored. */
export class ObjectIntake {
  private readonly apiVersion: string;
  private readonly name: string;

  constructor(private readonly options: IntakeOptions) {
    this.apiVersion = apiVersionOf(options.resource);
    this.name = resourceName(options.resource);
  }

  /**
   * Checks that the object can be identified.
   *
   * @throws MalformedObjectError
   */
  check(object: unknown, source: string): StoredObject {
    if (!isFields(object)) throw new MalformedObjectError(this.name, 'fields', source);
    const metadata = object['metadata'];
    if (!isFields(metadata)) throw new MalformedObjectError(this.name, 'metadata', source);
    for (const field of ['name', 'uid', 'resourceVersion']) {
      const value = metadata[field];
      if (typeof value !== 'string' || value === '') {
        throw new MalformedObjectError(this.name, `metadata.${field}`, source);
      }
    }
    return object as unknown as StoredObject;
  }

  /**
   * The object as it is stored: apiVersion and kind filled in (items of a list lack them), without managedFields unless
   * they are kept, then transformed. `undefined` when the transform failed: that object is logged and left out, the others
   * go on.
   */
  prepare(object: StoredObject): StoredObject | undefined {
    const { resource, config, logger } = this.options;
    let prepared: StoredObject = object;
    if (prepared.apiVersion === undefined || prepared.kind === undefined) {
      prepared = { ...prepared, apiVersion: this.apiVersion, kind: resource.kind };
    }
    if (!config.keepManagedFields && prepared.metadata['managedFields'] !== undefined) {
      const { managedFields: _, ...metadata } = prepared.metadata;
      prepared = { ...prepared, metadata };
    }
    if (config.transform === undefined) return prepared;
    try {
      const transformed = config.transform(prepared);
      const lost = lostIdentity(prepared, transformed);
      if (lost === undefined) return transformed;
      logger.log('error', 'State of an object left out: the transform changed its identity', {
        resource: this.name,
        key: objectKey(object),
        field: lost,
      });
    } catch (error) {
      logger.log(
        'error',
        'State of an object left out: the transform failed',
        { resource: this.name, key: objectKey(object) },
        error,
      );
    }
    return undefined;
  }
}

function lostIdentity(before: StoredObject, after: unknown): string | undefined {
  if (!isFields(after)) return 'the whole object';
  const metadata = after['metadata'];
  if (!isFields(metadata)) return 'metadata';
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion'] as const) {
    if (metadata[field] !== before.metadata[field]) return `metadata.${field}`;
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    if (after[field] !== before[field]) return field;
  }
  return undefined;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
