import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DocumentAnswer } from '../http/server-parts.js';
import { parseAccept } from '../http/negotiation.js';
import type { JsonObject } from '../json.js';
import type { ResourceRegistry } from '../resources/resource-registry.js';
import { errors } from '../status.js';
import { aggregated, apiGroup, apiGroupList, apiResourceList, apiVersions, serverVersion } from './documents.js';
import { openApiDocument, openApiIndex } from './openapi.js';

const jsonType = 'application/json';
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const served = [jsonType, 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Answers the paths that are not about a resource; undefined for unknown ones. */
export function documentAnswer(
  registry: ResourceRegistry,
  address: string,
  url: URL,
  headers: IncomingHttpHeaders,
): DocumentAnswer | undefined {
  const path = url.pathname.replace(/\/$/, '');
  const parts = path.split('/').slice(1);
  switch (path) {
    case '/version':
      return json(serverVersion);
    case '/healthz':
    case '/livez':
    case '/readyz':
      return text('ok');
    case '/api':
      return discovery(registry, headers, apiVersions(address), true);
    case '/apis':
      return discovery(registry, headers, apiGroupList(registry), false);
    case '/openapi/v3':
      return json(openApiIndex(registry));
    case '':
      return json({ paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'] });
  }
  if (/^\/(livez|readyz|healthz)\/(ping|etcd|log)$/.test(path)) return text('ok');
  if (parts[0] === 'openapi' && parts[1] === 'v3') {
    const [, , root, ...rest] = parts;
    const document =
      root === 'api' && rest.length === 1
        ? openApiDocument(registry, '', rest[0]!)
        : root === 'apis' && rest.length === 2
          ? openApiDocument(registry, rest[0]!, rest[1]!)
          : undefined;
    return document === undefined ? undefined : json(document);
  }
  let document: JsonObject | undefined;
  if (parts[0] === 'api' && parts.length === 2) document = apiResourceList(registry, '', parts[1]!);
  else if (parts[0] === 'apis' && parts.length === 2) document = apiGroup(registry, parts[1]!);
  else if (parts[0] === 'apis' && parts.length === 3) document = apiResourceList(registry, parts[1]!, parts[2]!);
  if (document === undefined) return undefined;
  if (!acceptsJson(headers.accept)) throw errors.notAcceptable(served);
  return json(document);
}

function discovery(
  registry: ResourceRegistry,
  headers: IncomingHttpHeaders,
  legacy: JsonObject,
  core: boolean,
): DocumentAnswer {
  for (const { type, parameters } of parseAccept(headers.accept ?? '*/*')) {
    if (type !== jsonType && type !== '*/*' && type !== 'application/*') continue;
    if (!parameters.has('as')) return json(legacy);
    if (
      parameters.get('g') === 'apidiscovery.k8s.io' &&
      parameters.get('v') === 'v2' &&
      parameters.get('as') === 'APIGroupDiscoveryList'
    ) {
      const body = JSON.stringify(aggregated(registry, core));
      const etag = `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`;
      const extra = { etag, vary: 'Accept', 'cache-control': 'public' };
      if (headers['if-none-match'] === etag)
        return { status: 304, contentType: aggregatedType, body: '', headers: extra };
      return { status: 200, contentType: aggregatedType, body, headers: extra };
    }
  }
  throw errors.notAcceptable(served);
}

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  parseAccept(accept).some(
    ({ type, parameters }) => ['application/json', '*/*', 'application/*'].includes(type) && !parameters.has('as'),
  );

const json = (document: JsonObject): DocumentAnswer => ({
  status: 200,
  contentType: jsonType,
  body: JSON.stringify(document),
  headers: {},
});

const text = (body: string): DocumentAnswer => ({
  status: 200,
  contentType: 'text/plain; charset=utf-8',
  body,
  headers: { 'x-content-type-options': 'nosniff' },
});
