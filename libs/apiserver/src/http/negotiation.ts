import { failure } from '../status.js';

export type MetaVersion = 'v1' | 'v1beta1';

/** The form in which an answer is given. */
export interface Form {
  readonly as: 'object' | 'table' | 'metadata' | 'metadataList';
  /** The version of Tables and PartialObjectMetadata. */
  readonly version: MetaVersion;
  readonly yaml: boolean;
  /** JSON with line breaks, for people. */
  readonly pretty: boolean;
}

/** What decides about the form of an answer, beside the request itself. */
export interface Wishes {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  /** The query parameter `pretty`. */
  readonly pretty: string | null;
}

const served = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streamed = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

interface MediaRange {
  type: string;
  parameters: Map<string, string>;
  quality: number;
}

/** The ranges of an Accept header, best first. A quality of zero refuses nothing, as on the real server. */
export function parseAccept(header: string): MediaRange[] {
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
      const parameters = new Map(
        rest
          // What has no value is no parameter.
          .filter((piece) => piece.includes('='))
          .map((piece): [string, string] => {
            const equals = piece.indexOf('=');
            return [piece.slice(0, equals), piece.slice(equals + 1)];
          }),
      );
      const quality = Number(parameters.get('q') ?? 1);
      return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality };
    })
    .map((range) => (range.type === '*' ? { ...range, type: '*/*' } : range))
    .filter(({ type }) => type.includes('/'))
    .map((range, order) => ({ range, order }))
    .sort((a, b) => b.range.quality - a.range.quality || a.order - b.order)
    .map(({ range }) => range);
}

/** What the answer is about: one object, a list, a watch, or a document or Status that has one form only. */
export type Content = 'object' | 'list' | 'watch' | 'document';

/**
 * Refuses, for routes of the built-in API, a header that names none of their media types: they are looked at before
 * anything else, and know no `application/*`.
 */
export function checkRoute(accept: string | undefined, content: Content, jsonOnly = false): void {
  if (accept === undefined || accept.trim() === '') return;
  // A watch and a list are one route.
  const lists = content === 'list' || content === 'watch';
  const known = jsonOnly ? served.slice(0, 1) : lists ? [...served, ...streamed] : served;
  const types = accept.split(',').map((part) => part.split(';')[0]!.trim());
  if (types.some((type) => type === '*/*' || known.includes(type))) return;
  throw failure('NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${known.join(', ')}`, {});
}

/** Refuses, for documents that are routes of the built-in API, the media type of a body that none of them takes. */
export function checkRouteBody(contentType: string | undefined, jsonOnly = false): void {
  if (contentType === undefined || contentType === '') return;
  const known = jsonOnly ? served.slice(0, 1) : served;
  const types = contentType.split(',').map((part) => part.split(';')[0]!.trim());
  if (types.some((type) => type === '*/*' || known.includes(type))) return;
  throw failure('UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** Chooses the form of an answer; throws 406 when nothing that is accepted can be served. */
export function negotiate(wishes: Wishes, content: Content): Form {
  const form = chooseForm(wishes, content);
  if (form !== undefined) return form;
  // A type that is known but cannot be streamed was found; for one that is not known nobody asks that.
  const isKnown =
    content === 'watch' && parseAccept(wishes.accept ?? '').some(({ type }) => type === 'application/yaml');
  const all = isKnown ? streamed : served;
  throw failure('NotAcceptable', `only the following media types are accepted: ${all.join(', ')}`);
}

/** The form of an answer, or undefined when nothing that is accepted can be served. */
export function chooseForm({ accept, userAgent, pretty }: Wishes, content: Content): Form | undefined {
  const prettyByDefault = isTrue(pretty) || (!pretty && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent ?? ''));
  if (accept === undefined || accept.trim() === '')
    return { as: 'object', version: 'v1', yaml: false, pretty: prettyByDefault };
  for (const { type, parameters } of parseAccept(accept)) {
    const json = type === 'application/json' || type === '*/*' || type === 'application/*';
    const yaml = type === 'application/yaml' && content !== 'watch';
    if (!json && !yaml) {
      // The real server takes the first type that it knows, and then finds that it cannot be streamed.
      if (type === 'application/yaml') return undefined;
      continue;
    }
    const as = formNamed(parameters, content);
    const version = parameters.get('v') === 'v1beta1' ? 'v1beta1' : 'v1';
    if (as !== undefined)
      return { as, version, yaml, pretty: prettyByDefault || isTrue(parameters.get('pretty') ?? null) };
  }
  return undefined;
}

/** Whether an answer in protobuf is among what is accepted. */
export const acceptsProtobuf = ({ accept }: Wishes): boolean =>
  parseAccept(accept ?? '').some(
    ({ type, parameters }) => type === 'application/vnd.kubernetes.protobuf' && !parameters.has('as'),
  );

const isTrue = (text: string | null): boolean => text !== null && /^(1|t|T|true|True|TRUE)$/.test(text);

function formNamed(parameters: ReadonlyMap<string, string>, content: Content): Form['as'] | undefined {
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return 'object';
  if (
    content === 'document' ||
    parameters.get('g') !== 'meta.k8s.io' ||
    !/^v1(beta1)?$/.test(parameters.get('v') ?? '')
  ) {
    return undefined;
  }
  const as = parameters.get('as');
  if (as === 'Table') return 'table';
  if (as === 'PartialObjectMetadata') return 'metadata';
  return as === 'PartialObjectMetadataList' ? 'metadataList' : undefined;
}
