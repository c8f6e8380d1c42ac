import { errors } from '../status.js';

/** The form in which an answer is given. */
export type Form = { as: 'object'; yaml: boolean } | { as: 'table' | 'metadata'; yaml: false };

const served = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

interface MediaRange {
  type: string;
  parameters: Map<string, string>;
  quality: number;
}

export function parseAccept(header: string): MediaRange[] {
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...rest] = part.split(';').map((piece) => piece.trim());
      const parameters = new Map(
        rest.map((piece): [string, string] => {
          const equals = piece.indexOf('=');
          return equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
        }),
      );
      return { type: type.toLowerCase(), parameters, quality: Number(parameters.get('q') ?? 1) };
    })
    .filter(({ type, quality }) => type !== '' && quality > 0)
    .map((range, order) => ({ range, order }))
    .sort((a, b) => b.range.quality - a.range.quality || a.order - b.order)
    .map(({ range }) => range);
}

/** Chooses the form of an answer about objects; throws 406 when nothing that is accepted can be served. */
export function negotiate(header: string | undefined, list: boolean): Form {
  if (header === undefined || header.trim() === '') return { as: 'object', yaml: false };
  for (const { type, parameters } of parseAccept(header)) {
    const json = type === 'application/json' || type === '*/*' || type === 'application/*';
    const yaml = type === 'application/yaml';
    if (!json && !yaml) continue;
    const as = parameters.get('as');
    if (as === undefined) return { as: 'object', yaml };
    if (!json || parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') continue;
    if (as === 'Table') return { as: 'table', yaml: false };
    if (as === 'PartialObjectMetadata' && !list) return { as: 'metadata', yaml: false };
    if (as === 'PartialObjectMetadataList' && list) return { as: 'metadata', yaml: false };
  }
  throw errors.notAcceptable(served);
}
