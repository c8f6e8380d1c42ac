import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { ResourcePaths } from './openapi-paths.js';
import { OpenApiSchemas } from './openapi-schemas.js';

/** A document of OpenAPI v3, as text, with the hash that names its content. */
export interface OpenApiDocument {
  readonly hash: string;
  text(): string;
}

interface Known extends OpenApiDocument {
  readonly types: readonly ResourceType[];
}

const prefixOf = (group: string, version: string): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

/** The OpenAPI documents of a server, one per group and version. Each is made when it is first asked for. */
export class OpenApiDocuments {
  readonly #known = new Map<string, Known>();

  constructor(private readonly registry: ResourceRegistry) {}

  /** The paths of all documents, with their hashes. */
  index(): JsonObject {
    const paths: JsonObject = {};
    for (const [group, versions] of [['', ['v1']] as const, ...this.registry.groups()]) {
      for (const version of versions) {
        const prefix = prefixOf(group, version);
        const document = this.document(group, version);
        if (document !== undefined) paths[prefix] = { serverRelativeURL: this.#url(prefix, document) };
      }
    }
    return { paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) };
  }

  /** The address of a document that changes with its content. */
  urlOf(group: string, version: string, document: OpenApiDocument): string {
    return this.#url(prefixOf(group, version), document);
  }

  #url(prefix: string, { hash }: OpenApiDocument): string {
    return `/openapi/v3/${prefix}?hash=${hash}`;
  }

  /** The document of a group and version; undefined where nothing is served in it. */
  document(group: string, version: string): OpenApiDocument | undefined {
    const types = this.registry.inVersion(group, version);
    if (types.length === 0) return undefined;
    const prefix = prefixOf(group, version);
    const known = this.#known.get(prefix);
    if (known !== undefined && types.length === known.types.length && types.every((type) => known.types.includes(type)))
      return known;
    let text: string | undefined;
    const made: Known = {
      types,
      hash: hashOf(prefix, types),
      text: () => (text ??= JSON.stringify(documentOf(prefix, types))),
    };
    this.#known.set(prefix, made);
    return made;
  }
}

/** Names what a document is made of, so that the index need not make all documents. */
function hashOf(prefix: string, types: readonly ResourceType[]): string {
  const hash = createHash('sha512').update(prefix);
  for (const { plural, kind, listKind, namespaced, status, scale, verbs, fields, custom } of types) {
    hash.update(JSON.stringify([plural, kind, listKind, namespaced, status, scale, verbs, fields, custom?.schema]));
  }
  return hash.digest('hex').toUpperCase();
}

function documentOf(prefix: string, types: readonly ResourceType[]): JsonObject {
  const schemas = new OpenApiSchemas();
  const paths: JsonObject = {};
  const builtin = types.every((type) => type.custom === undefined);
  if (types.some(({ verbs }) => verbs.includes('get'))) {
    for (const name of ['DeleteOptions', 'Patch', 'Status']) schemas.addDefinition(`meta.v1.${name}`);
    if (builtin) schemas.addDefinition('meta.v1.WatchEvent');
  }
  for (const type of types) {
    schemas.addKind(type);
    if (type.scale) schemas.addDefinition('autoscaling.v1.Scale');
    new ResourcePaths(type).addTo(paths, prefix);
  }
  return {
    openapi: '3.0.0',
    info: builtin ? { title: 'Kubernetes', version: '1.36' } : { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: schemas.all(),
      ...(builtin ? { securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } } } : {}),
    },
  };
}
