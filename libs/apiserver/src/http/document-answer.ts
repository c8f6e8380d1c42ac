import type { IncomingMessage } from 'node:http';
import { errors } from '../status.js';
import { formatted } from './formatting.js';
import { checkRoute, checkRouteBody, negotiate, type Wishes } from './negotiation.js';
import { isBuiltinPath, isDocumentRoute, isVersion, UnknownPath } from './routing.js';
import type { DocumentAnswer, ServerParts } from './server-parts.js';

const jsonType = 'application/json';

/** The answer to a request that is not about a resource. Throws 404, 405 and 406. */
export function answerDocument(
  parts: ServerParts,
  url: URL,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  wishes: Wishes,
): DocumentAnswer {
  const { registry } = parts.context;
  const { pathname } = url;
  const isRoute = isDocumentRoute(registry, pathname);
  const isNegotiated = isRoute || pathname.startsWith('/apis');
  // Documents of OpenAPI choose their form themselves.
  const isOpenApi = pathname.startsWith('/openapi/');
  const plain = parts.documents(url, isOpenApi ? headers : { ...headers, accept: jsonType });
  if (plain === undefined) throw isBuiltinPath(registry, pathname) ? errors.noSuchResource() : new UnknownPath();
  if (isOpenApi && plain.status === 304 && method !== 'GET' && method !== 'HEAD') {
    const contentType = plain.headers['etag'] === undefined ? '' : jsonType;
    return { ...plain, status: 412, contentType };
  }
  if (isRoute && method !== 'GET') throw errors.methodNotAllowed();
  if (isRoute) checkRouteBody(headers['content-type'], isVersion(pathname));
  if (isRoute) checkRoute(wishes.accept, 'document', isVersion(pathname));
  // Aggregated discovery is chosen by the document's own handler.
  const isAggregated = /^\/apis?\/?$/.test(pathname) && wishes.accept?.includes('apidiscovery.k8s.io') === true;
  const answer = isAggregated ? (parts.documents(url, headers) ?? plain) : plain;
  const form = isNegotiated && !isAggregated && !isVersion(pathname) ? negotiate(wishes, 'document') : undefined;
  const pretty = isVersion(pathname) || pathname === '/';
  if (answer.contentType !== jsonType || (form === undefined && !pretty)) return answer;
  const { contentType, text } = formatted(answer.body, pretty ? { yaml: false, pretty } : form!);
  return { ...answer, contentType, body: text };
}
