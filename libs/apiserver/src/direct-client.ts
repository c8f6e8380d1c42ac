import { serverIdentity } from './access/identity.js';
import { clone, isObject, type JsonObject, type KubeObject } from './json.js';
import { yamlLibrary } from './lazy-modules.js';
import type { ApiRequest, Verb } from './pipeline/api-request.js';
import { dispatch, type DispatchResult } from './pipeline/dispatch.js';
import type { ServerContext } from './pipeline/server-context.js';
import { keyOf, type ResourceType } from './resources/resource-type.js';
import { errors } from './status.js';

/** Names a resource: `apiVersion` and `kind`, or `apiVersion` and the plural as `resource`. */
export interface ResourceRef {
  apiVersion: string;
  kind?: string;
  resource?: string;
}

/** Names an object. */
export interface ObjectRef extends ResourceRef {
  name: string;
  namespace?: string;
}

export interface DirectPatchOptions {
  /** @defaultValue 'merge' */
  type?: 'merge' | 'json' | 'strategic';
  subresource?: 'status' | 'scale';
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** Calls from within the process: the same pipeline as over HTTP, but without faults, accounts and the request log. */
export class DirectClient {
  constructor(private readonly context: ServerContext) {}

  /** Creates an object; its namespace must exist. */
  async create(object: JsonObject | string): Promise<KubeObject> {
    const given = one(object);
    return this.#single('create', this.#typeOf(given), given.metadata.namespace, undefined, JSON.stringify(given));
  }

  /**
   * Creates objects, or merges them into those that exist, from an object or from YAML text with any number of
   * documents. Status is written too where there is one.
   */
  async apply(objects: JsonObject | string): Promise<KubeObject[]> {
    const results: KubeObject[] = [];
    for (const given of documents(objects)) {
      const type = this.#typeOf(given);
      const { name } = given.metadata;
      const namespace = type.namespaced ? (given.metadata.namespace ?? 'default') : undefined;
      const exists = name !== undefined && this.context.store.get(type.storage, keyOf(namespace, name)) !== undefined;
      let result = exists
        ? await this.#single('patch', type, namespace, name, JSON.stringify(given), patchTypes.merge)
        : await this.#single('create', type, namespace, undefined, JSON.stringify(given));
      if (type.status && given['status'] !== undefined) {
        const body = JSON.stringify({ status: given['status'] });
        result = await this.#single('patch', type, namespace, result.metadata.name, body, patchTypes.merge, 'status');
      }
      results.push(result);
    }
    return results;
  }

  async get(ref: ObjectRef): Promise<KubeObject | undefined> {
    const type = this.#resource(ref);
    const stored = this.context.store.get(type.storage, keyOf(this.#namespace(type, ref.namespace), ref.name));
    if (stored === undefined) return undefined;
    await this.context.representations.fetch(type, [stored]);
    return clone(this.context.representations.object(type, stored));
  }

  async list(
    ref: ResourceRef & { namespace?: string; labelSelector?: string; fieldSelector?: string },
  ): Promise<KubeObject[]> {
    const type = this.#resource(ref);
    const query = new URLSearchParams();
    if (ref.labelSelector !== undefined) query.set('labelSelector', ref.labelSelector);
    if (ref.fieldSelector !== undefined) query.set('fieldSelector', ref.fieldSelector);
    const result = await this.#dispatch({ verb: 'list', type, namespace: ref.namespace, query });
    return 'list' in result
      ? result.list.items.map((item) => clone(this.context.representations.object(type, item)))
      : [];
  }

  /** Replaces an object (PUT). */
  async replace(object: JsonObject | string, subresource?: 'status'): Promise<KubeObject> {
    const given = one(object);
    const type = this.#typeOf(given);
    const { name, namespace } = given.metadata;
    return this.#single('update', type, namespace, name, JSON.stringify(given), undefined, subresource);
  }

  async patch(ref: ObjectRef, patch: unknown, options: DirectPatchOptions = {}): Promise<KubeObject> {
    const type = this.#resource(ref);
    const contentType = patchTypes[options.type ?? 'merge'];
    return this.#single(
      'patch',
      type,
      ref.namespace,
      ref.name,
      JSON.stringify(patch),
      contentType,
      options.subresource,
    );
  }

  /** Deletes an object; rejects when it is absent. */
  async delete(
    ref: ObjectRef,
    options: {
      propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
      preconditions?: { uid?: string; resourceVersion?: string };
    } = {},
  ): Promise<void> {
    const type = this.#resource(ref);
    const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...options });
    await this.#dispatch({
      verb: 'delete',
      type,
      namespace: this.#namespace(type, ref.namespace),
      name: ref.name,
      body,
    });
  }

  async #single(
    verb: Verb,
    type: ResourceType,
    namespace: string | undefined,
    name: string | undefined,
    body: string,
    contentType?: string,
    subresource?: string,
  ): Promise<KubeObject> {
    const result = await this.#dispatch({
      verb,
      type,
      namespace: this.#namespace(type, namespace),
      ...(name === undefined ? {} : { name }),
      body,
      ...(contentType === undefined ? {} : { contentType }),
      ...(subresource === undefined ? {} : { subresource }),
    });
    if (!('object' in result)) throw errors.internal(`${verb} answered a list`);
    const { document, stored } = result.object;
    return clone((document ?? this.context.representations.object(type, stored!)) as KubeObject);
  }

  #dispatch(
    request: { verb: Verb; type: ResourceType } & Partial<ApiRequest>,
  ): DispatchResult | Promise<DispatchResult> {
    return dispatch(this.context, {
      identity: serverIdentity,
      userAgent: 'nestjs-operator-apiserver',
      namespace: undefined,
      name: undefined,
      subresource: undefined,
      query: new URLSearchParams(),
      contentType: 'application/json',
      body: '',
      ...request,
    });
  }

  #namespace(type: ResourceType, namespace: string | undefined): string | undefined {
    return type.namespaced ? (namespace ?? 'default') : undefined;
  }

  #typeOf(object: KubeObject): ResourceType {
    return this.#resource(object);
  }

  #resource({ apiVersion, kind, resource }: ResourceRef): ResourceType {
    const { registry } = this.context;
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const type =
      resource === undefined ? registry.findKind(apiVersion, kind ?? '') : registry.find(group, version, resource);
    if (type === undefined) {
      throw errors.badRequest(
        `no resource ${JSON.stringify(resource ?? kind ?? '')} in ${apiVersion} is served; is its CustomResourceDefinition installed?`,
      );
    }
    return type;
  }
}

/** The objects in an object or in YAML text; a List is taken apart. */
export function documents(given: JsonObject | string): KubeObject[] {
  const values: unknown[] =
    typeof given === 'string'
      ? yamlLibrary()
          .parseAllDocuments(given)
          .map((document) => {
            if (document.errors.length > 0) throw errors.badRequest(document.errors[0]!.message);
            return document.toJS() as unknown;
          })
          .filter((value) => value !== null)
      : [given];
  return values.flatMap((value) => {
    if (!isObject(value)) throw errors.badRequest('expected a Kubernetes object');
    if (Array.isArray(value['items']) && String(value['kind']).endsWith('List'))
      return value['items'].flatMap((item) => documents(item as JsonObject));
    return [{ ...value, metadata: isObject(value['metadata']) ? value['metadata'] : {} } as KubeObject];
  });
}

function one(given: JsonObject | string): KubeObject {
  const [first, second] = documents(given);
  if (first === undefined || second !== undefined) throw errors.badRequest('expected exactly one object');
  return first;
}
