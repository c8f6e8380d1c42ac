import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { formatted } from '../http/formatting.js';
import { parseAccept } from '../http/negotiation.js';
import type { DocumentAnswer } from '../http/server-parts.js';
import type { JsonObject } from '../json.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { errors } from '../status.js';
import { aggregated, apiGroup, apiGroupList, apiResourceList, apiVersions, serverVersion } from './documents.js';
import { healthPaths, healthText } from './health-checks.js';
import { OpenApiDocuments } from './openapi-documents.js';

const jsonType = 'application/json';
const aggregatedParameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const served = [jsonType, 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Answers the paths that are not about a resource. */
export class DocumentRoutes {
  readonly #openApi: OpenApiDocuments;

  constructor(
    private readonly registry: ResourceRegistry,
    /** Host and port that clients reach the server at. */
    private readonly address: () => string,
  ) {
    this.#openApi = new OpenApiDocuments(registry);
  }

  /** The answer to a path; undefined for unknown ones. */
  answer(url: URL, headers: IncomingHttpHeaders): DocumentAnswer | undefined {
    const path = url.pathname.replace(/\/$/, '');
    const parts = path.split('/').slice(1);
    switch (path) {
      case '/version':
        return json(serverVersion);
      case '/api':
        return this.#discovery(headers, apiVersions(this.address()), true);
      case '/apis':
        return this.#discovery(headers, apiGroupList(this.registry), false);
      case '':
        return json({ paths: this.#paths() });
    }
    const health = healthText(url.pathname, url.searchParams);
    if (health !== undefined) return text(health, parts.length === 1);
    if (parts[0] === 'openapi' && parts[1] === 'v3') return this.#openApiAnswer(parts.slice(2), url, headers);
    let document: JsonObject | undefined;
    if (parts[0] === 'api' && parts.length === 2) document = apiResourceList(this.registry, '', parts[1]!);
    else if (parts[0] === 'apis' && parts.length === 2) document = apiGroup(this.registry, parts[1]!);
    else if (parts[0] === 'apis' && parts.length === 3) document = apiResourceList(this.registry, parts[1]!, parts[2]!);
    return document === undefined ? undefined : json(document);
  }

  /** Everything that is served beside resources. */
  #paths(): string[] {
    const groups = [...this.registry.groups()].flatMap(([group, versions]) => [
      `/apis/${group}`,
      ...versions.map((version) => `/apis/${group}/${version}`),
    ]);
    const paths = ['/api', '/api/v1', '/apis', '/apis/', ...groups, ...healthPaths];
    return [...paths, '/openapi/v3', '/openapi/v3/', '/version'].sort();
  }

  #discovery(headers: IncomingHttpHeaders, legacy: JsonObject, core: boolean): DocumentAnswer {
    // What says more precisely what it wants is preferred.
    const clauses = parseAccept(headers.accept ?? '*/*').toSorted(
      (a, b) => Number(b.parameters.has('as')) - Number(a.parameters.has('as')),
    );
    for (const { type, parameters } of clauses) {
      const yaml = type === 'application/yaml';
      if (!yaml && type !== jsonType && type !== '*/*' && type !== 'application/*') continue;
      if (!parameters.has('as')) return json(legacy);
      if (
        parameters.get('g') === 'apidiscovery.k8s.io' &&
        parameters.get('v') === 'v2' &&
        parameters.get('as') === 'APIGroupDiscoveryList'
      ) {
        return aggregatedAnswer(aggregated(this.registry, core), yaml, headers);
      }
    }
    throw errors.notAcceptable(served);
  }

  #openApiAnswer(parts: readonly string[], url: URL, headers: IncomingHttpHeaders): DocumentAnswer {
    if (parts.length === 0) {
      if (isKnown(headers['if-none-match'])) return { status: 304, contentType: '', body: '', headers: {} };
      // The real server gives the index no other type.
      return {
        status: 200,
        contentType: 'text/plain; charset=utf-8',
        body: JSON.stringify(this.#openApi.index()),
        headers: {},
      };
    }
    const [root, ...rest] = parts;
    const [group, version] = root === 'api' ? ['', ...rest] : rest;
    const isDocument = (root === 'api' && rest.length === 1) || (root === 'apis' && rest.length === 2);
    const document = isDocument ? this.#openApi.document(group!, version!) : undefined;
    if (document === undefined) return { status: 404, contentType: '', body: '', headers: {} };
    const etag = `"${document.hash}"`;
    const clauses = parseAccept(headers.accept?.trim() || '*/*');
    // Who asks for nothing that can be read is given nothing.
    if (clauses.length === 0) return { status: 200, contentType: '', body: '', headers: {} };
    if (!clauses.some(({ type }) => [jsonType, 'application/*', '*/*'].includes(type))) {
      return { status: 406, contentType: '', body: '', headers: { vary: 'Accept' } };
    }
    const asked = url.searchParams.get('hash');
    const extra = { etag, vary: 'Accept', ...(asked === null ? {} : { 'cache-control': 'public, immutable' }) };
    if (asked !== null && asked !== document.hash) {
      const location = this.#openApi.urlOf(group!, version!, document);
      return { status: 301, contentType: jsonType, body: '', headers: { etag, vary: 'Accept', location } };
    }
    if (isKnown(headers['if-none-match'], etag)) return { status: 304, contentType: '', body: '', headers: extra };
    return { status: 200, contentType: 'application/json', body: document.text(), headers: extra };
  }
}

/** Whether a client has a document already. */
const isKnown = (header: string | undefined, etag?: string): boolean =>
  (header ?? '').split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));

function aggregatedAnswer(list: JsonObject, yaml: boolean, headers: IncomingHttpHeaders): DocumentAnswer {
  const body = JSON.stringify(list);
  const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
  const extra = { etag, vary: 'Accept', 'cache-control': 'public' };
  const contentType = `application/${yaml ? 'yaml' : 'json'}${aggregatedParameters}`;
  if (headers['if-none-match'] === etag) return { status: 304, contentType: '', body: '', headers: extra };
  return {
    status: 200,
    contentType,
    body: yaml ? formatted(body, { yaml, pretty: false }).text : body,
    headers: extra,
  };
}

const json = (document: JsonObject): DocumentAnswer => ({
  status: 200,
  contentType: jsonType,
  body: JSON.stringify(document),
  headers: {},
});

const text = (body: string, whole: boolean): DocumentAnswer => ({
  status: 200,
  contentType: 'text/plain; charset=utf-8',
  body,
  headers: whole ? { 'x-content-type-options': 'nosniff' } : {},
});
