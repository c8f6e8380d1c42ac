import { isObject } from '../json.js';
import { subdomainRule } from '../name-rules.js';
import { invalidValue, isSubdomain } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';
import { requiredValue } from './value-causes.js';

const desired = 'desired format: https://host[/path]';

/** What is wrong with the way to reach a webhook. */
export function clientConfigCauses(config: unknown, path: string): StatusCause[] {
  const { url, service } = (isObject(config) ? config : {}) as { url?: unknown; service?: unknown };
  if ((typeof url === 'string') === isObject(service)) {
    return [requiredValue(path, 'exactly one of url or service is required')];
  }
  return typeof url === 'string' ? urlCauses(url, `${path}.url`) : serviceCauses(service, `${path}.service`);
}

function urlCauses(text: string, field: string): StatusCause[] {
  // Not by `URL`, which repairs what is to be refused.
  const parts =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#]*)@)?([^/?#@]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
  const [, scheme, user, host = '', , query = '', fragment = ''] = parts ?? [];
  if (parts === null || text.startsWith(':')) {
    const why = `url must be a valid URL: parse ${JSON.stringify(text)}: missing protocol scheme; ${desired}`;
    return [requiredValue(field, why)];
  }
  const causes: StatusCause[] = [];
  if (scheme !== 'https') {
    causes.push(invalidValue(field, scheme ?? '', `'https' is the only allowed URL scheme; ${desired}`));
  }
  if (host === '') causes.push(invalidValue(field, host, `host must be specified; ${desired}`));
  if (user !== undefined) causes.push(invalidValue(field, user, 'user information is not permitted in the URL'));
  if (fragment !== '') causes.push(invalidValue(field, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') causes.push(invalidValue(field, query, 'query parameters are not permitted in the URL'));
  if (causes.length === 0 && !URL.canParse(text)) {
    causes.push(requiredValue(field, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid; ${desired}`));
  }
  return causes;
}

function serviceCauses(service: unknown, field: string): StatusCause[] {
  const { name, namespace, path, port } = service as {
    name?: unknown;
    namespace?: unknown;
    path?: unknown;
    port?: unknown;
  };
  const causes: StatusCause[] = [];
  if (name === undefined || name === '') causes.push(requiredValue(`${field}.name`));
  if (namespace === undefined || namespace === '') causes.push(requiredValue(`${field}.namespace`));
  if (typeof path === 'string') causes.push(...pathCauses(path, `${field}.path`));
  if (typeof port === 'number' && (port < 1 || port > 65_535)) {
    causes.push(invalidValue(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  return causes;
}

function pathCauses(path: string, field: string): StatusCause[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalidValue(field, path, 'segment[0] may not be empty')];
  const causes: StatusCause[] = [];
  if (!path.startsWith('/')) causes.push(invalidValue(field, path, "must start with a '/'"));
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, index) => {
    if (segment === '') causes.push(invalidValue(field, path, `segment[${index}] may not be empty`));
    else if (!isSubdomain(segment)) causes.push(invalidValue(field, path, `segment[${index}]: ${subdomainRule}`));
  });
  return causes;
}
