import { goQuote } from '../cel/library/go-quote.js';
import { errors, failure, type ApiError } from '../status.js';
import type { AccessAttributes } from './access-attributes.js';

/** Bytes of a header that are no text stand in it as lone surrogates, and are shown as bytes. */
const quoted = (text: string): string => goQuote(text).replaceAll(/\\udc([89a-f][0-9a-f])/g, String.raw`\x$1`);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The refusal of a request, in the words of the real server, which cannot be taken for HTML. */
export function forbidden({ identity, verb, path, resource }: AccessAttributes, reason: string): ApiError {
  const user = quoted(identity.name);
  const why = reason === '' ? '' : `: ${reason}`;
  const harmless = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character]!) + why;
  if (resource === undefined) {
    return failure('Forbidden', `forbidden: ${harmless(`User ${user} cannot ${verb} path ${quoted(path)}`)}`, {});
  }
  const { group, plural, name, namespace, subresource } = resource;
  const what = subresource === undefined ? plural : `${plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace ${quoted(namespace)}`;
  return errors.forbidden(
    { group, plural },
    name ?? '',
    harmless(`User ${user} cannot ${verb} resource ${quoted(what)} in API group ${quoted(group)} ${where}`),
  );
}
