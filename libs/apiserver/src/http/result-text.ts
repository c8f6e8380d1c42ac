import { goQuote } from '../cel/library/go-quote.js';
import type { JsonObject, KubeObject } from '../json.js';
import type { DispatchResult } from '../pipeline/dispatch.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import { notAList, notOneObject, scaleIsNoList } from './metadata-mismatch.js';
import type { Form, MetaVersion } from './negotiation.js';
import { partial } from './rendering.js';
import type { ServerParts } from './server-parts.js';

/** What of each object stands in its row, where a table is asked for. Throws 400. */
export function includedInRows(query: URLSearchParams, { as }: Form): string {
  if (as !== 'table') return 'None';
  const include = query.get('includeObject') || 'Metadata';
  if (!['None', 'Metadata', 'Object'].includes(include)) {
    throw errors.badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(include)}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  }
  return include;
}

/** A result in the form that was asked for, as JSON. Throws 406 where the two do not fit. */
export function resultText(
  { rendering, context }: Pick<ServerParts, 'rendering' | 'context'>,
  type: ResourceType,
  result: DispatchResult,
  form: Form,
  query: URLSearchParams,
): string {
  const { as, version } = form;
  const table = { include: includedInRows(query, form), version };
  if ('list' in result) {
    const { list } = result;
    if (as === 'metadata') throw notOneObject(type);
    if (as === 'table') return rendering.tableOfList(type, list, table);
    return as === 'metadataList' ? rendering.metadataList(type, list, version) : rendering.list(type, list);
  }
  const { stored, document } = result.object;
  if (document?.['kind'] === 'Scale' && as === 'metadataList') throw scaleIsNoList(type);
  if (document !== undefined) return JSON.stringify(as === 'metadata' ? metadataOf(document, version) : document);
  if (as === 'metadataList') throw notAList(type);
  if (as === 'table') {
    return rendering.table(type, [stored!], table, { resourceVersion: stored!.metadata.resourceVersion });
  }
  return as === 'metadata' ? rendering.metadata(type, stored!, version) : context.representations.json(type, stored!);
}

/** The metadata of a document that has some of its own; the answer to a deletion has none. */
const metadataOf = (document: JsonObject, version: MetaVersion): JsonObject =>
  document['kind'] === 'Status' ? document : partial(document as KubeObject, version);
