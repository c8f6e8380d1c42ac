import type { JsonObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { longName } from '../schemas/definition-names.js';
import { listSchemaName, refTo, schemaName } from './openapi-schemas.js';

type Parameter = readonly [name: string, type: 'string' | 'boolean' | 'integer'];

const listing: readonly Parameter[] = [
  ['allowWatchBookmarks', 'boolean'],
  ['continue', 'string'],
  ['fieldSelector', 'string'],
  ['labelSelector', 'string'],
  ['limit', 'integer'],
  ['resourceVersion', 'string'],
  ['resourceVersionMatch', 'string'],
  ['sendInitialEvents', 'boolean'],
  ['shardSelector', 'string'],
  ['timeoutSeconds', 'integer'],
  ['watch', 'boolean'],
];
const deleting: readonly Parameter[] = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
];
const collecting: readonly Parameter[] = [
  ...deleting,
  ...listing.filter(([name]) => name !== 'allowWatchBookmarks' && name !== 'watch'),
];
const writing: readonly Parameter[] = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
];
const pretty: Parameter = ['pretty', 'string'];

const byName = (parameters: readonly Parameter[]): JsonObject[] =>
  parameters
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => ({ name, in: 'query', schema: { type, uniqueItems: true } }));

const pathParameter = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const patch = longName('meta.v1.Patch');
const status = longName('meta.v1.Status');
const deleteOptions = longName('meta.v1.DeleteOptions');
const scale = longName('autoscaling.v1.Scale');

const content = (types: readonly string[], schema: string): JsonObject =>
  Object.fromEntries(types.map((type) => [type, { schema: refTo(schema) }]));

/** The parts of a group's name as one word: `exampleCom`. */
const word = (group: string): string =>
  (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''))
    .split(/[.-]/)
    .map((part, index) => (index === 0 ? part : part.slice(0, 1).toUpperCase() + part.slice(1)))
    .join('');

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Writes the operations that a resource has in one version. */
export class ResourcePaths {
  readonly #custom: boolean;
  readonly #scope: string;
  readonly #tag: string;

  constructor(private readonly type: ResourceType) {
    this.#custom = type.custom !== undefined;
    this.#scope = type.namespaced ? 'Namespaced' : '';
    this.#tag = `${word(type.group)}_${type.version}`;
  }

  /** Adds the operations of a resource, those of its subresources included. */
  addTo(paths: JsonObject, prefix: string): void {
    const { type } = this;
    const collection = `/${prefix}${type.namespaced ? '/namespaces/{namespace}' : ''}/${type.plural}`;
    const item = `${collection}/{name}`;
    const isAny = (...verbs: string[]): boolean => verbs.some((verb) => type.verbs.includes(verb));
    if (isAny('list', 'create', 'deletecollection')) {
      paths[collection] = {
        ...this.#when('list', 'get', this.#list('Kind')),
        ...this.#when('create', 'post', this.#create()),
        ...this.#when('deletecollection', 'delete', this.#collect()),
        parameters: this.#shared(false),
      };
    }
    if (isAny('get', 'update', 'delete', 'patch')) {
      paths[item] = {
        ...this.#when('get', 'get', this.#read('', schemaName(type))),
        ...this.#when('update', 'put', this.#replace('', schemaName(type))),
        ...this.#when('delete', 'delete', this.#delete()),
        ...this.#when('patch', 'patch', this.#patch('', schemaName(type))),
        parameters: this.#shared(true),
      };
    }
    if (type.storage === '/namespaces') {
      paths[`${item}/finalize`] = {
        put: this.#replace('Finalize', schemaName(type)),
        parameters: this.#shared(true),
      };
    }
    if (type.scale) paths[`${item}/scale`] = this.#subresource('Scale', scale);
    if (type.status) paths[`${item}/status`] = this.#subresource('Status', schemaName(type));
    if (type.namespaced && isAny('list')) {
      paths[`/${prefix}/${type.plural}`] = {
        get: this.#list('ForAllNamespaces'),
        parameters: byName([pretty]),
      };
    }
    for (const path of Object.values(paths)) hoist(path as PathItem);
  }

  #when(verb: string, method: string, operation: JsonObject): JsonObject {
    return this.type.verbs.includes(verb) ? { [method]: operation } : {};
  }

  #shared(named: boolean): JsonObject[] {
    return [
      ...(named ? [pathParameter('name')] : []),
      ...(this.type.namespaced ? [pathParameter('namespace')] : []),
      ...byName([pretty]),
    ];
  }

  #subresource(name: string, schema: string): JsonObject {
    return {
      get: this.#read(name, schema),
      put: this.#replace(name, schema),
      patch: this.#patch(name, schema),
      parameters: this.#shared(true),
    };
  }

  #operation(
    action: string,
    id: string,
    parameters: readonly Parameter[],
    schema: string,
    codes: readonly string[],
    more: { body?: JsonObject; watch?: boolean } = {},
  ): JsonObject {
    const { group, version, kind } = this.type;
    const types = this.#custom ? [json, yaml] : [json, ...(more.watch ? [`${json};stream=watch`] : []), protobuf];
    if (!this.#custom) types.push(...(more.watch ? [`${protobuf};stream=watch`] : []), yaml);
    const responses = codes.map((code) => [code, { description: description(code), content: content(types, schema) }]);
    return {
      tags: [this.#tag],
      operationId: id,
      ...(parameters.length === 0 ? {} : { parameters: byName(parameters) }),
      ...(more.body === undefined ? {} : { requestBody: more.body }),
      responses: { ...Object.fromEntries(responses), '401': { description: 'Unauthorized' } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind':
        schema === scale && !this.#custom
          ? { group: 'autoscaling', version: 'v1', kind: 'Scale' }
          : { group, version, kind },
    };
  }

  #id(verb: string, what = ''): string {
    return `${verb}${capital(word(this.type.group))}${capital(this.type.version)}${this.#scope}${this.type.kind}${what}`;
  }

  #body(schema: string, required: boolean): JsonObject {
    return { content: content(this.#custom ? [json, yaml] : ['*/*'], schema), ...(required ? { required } : {}) };
  }

  #list(what: 'Kind' | 'ForAllNamespaces'): JsonObject {
    const { group, version, kind } = this.type;
    const id =
      what === 'Kind' ? this.#id('list') : `list${capital(word(group))}${capital(version)}${kind}ForAllNamespaces`;
    return this.#operation('list', id, listing, listSchemaName(this.type), ['200'], { watch: true });
  }

  #create(): JsonObject {
    const schema = schemaName(this.type);
    const codes = ['200', '201', '202'];
    return this.#operation('post', this.#id('create'), writing, schema, codes, { body: this.#body(schema, true) });
  }

  #collect(): JsonObject {
    const { group, version, kind } = this.type;
    const id = `delete${capital(word(group))}${capital(version)}Collection${this.#scope}${kind}`;
    return this.#custom
      ? this.#operation('deletecollection', id, listing, status, ['200'])
      : this.#operation('deletecollection', id, collecting, status, ['200'], {
          body: this.#body(deleteOptions, false),
        });
  }

  #read(what: string, schema: string): JsonObject {
    const parameters: Parameter[] = this.#custom ? [['resourceVersion', 'string']] : [];
    return this.#operation('get', this.#id('read', what), parameters, schema, ['200']);
  }

  #replace(what: string, schema: string): JsonObject {
    const body = this.#body(schema, true);
    return this.#operation('put', this.#id('replace', what), writing, schema, ['200', '201'], { body });
  }

  #delete(): JsonObject {
    const isObject = this.type.deleteReturnsObject && this.type.storage !== '/namespaces';
    const gone = isObject ? schemaName(this.type) : status;
    const body = this.#body(deleteOptions, false);
    return this.#operation('delete', this.#id('delete'), deleting, gone, ['200', '202'], { body });
  }

  #patch(what: string, schema: string): JsonObject {
    const types = [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
      ...(this.#custom ? [] : ['application/strategic-merge-patch+json']),
    ];
    const codes = this.#custom ? ['200'] : ['200', '201'];
    return this.#operation('patch', this.#id('patch', what), [...writing, ['force', 'boolean']], schema, codes, {
      body: { content: content(types, patch), required: true },
    });
  }
}

interface PathItem {
  parameters: JsonObject[];
  [method: string]: unknown;
}

/** Where a path has one operation, all parameters are those of the path. */
function hoist(path: PathItem): void {
  const [operation, ...others] = Object.keys(path).filter((key) => key !== 'parameters');
  if (operation === undefined || others.length > 0) return;
  const { parameters = [], ...rest } = path[operation] as { parameters?: JsonObject[] };
  path[operation] = rest;
  const all = [...path.parameters, ...parameters];
  path.parameters = all.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
}

const description = (code: string): string => (code === '200' ? 'OK' : code === '201' ? 'Created' : 'Accepted');
