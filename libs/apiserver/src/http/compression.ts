import { zlib } from '../lazy-modules.js';

const gzipFrom = 128 * 1024;

/** A long body as gzip, where the client takes it; undefined where the body stays as it is. */
export function gzipped(body: string | Buffer, acceptEncoding: string | string[] | undefined): Buffer | undefined {
  return body.length > gzipFrom && acceptsGzip(acceptEncoding) ? zlib().gzipSync(body, { level: 1 }) : undefined;
}

/** Whether the coding is named as such; a quality behind it makes it another name, as on the real server. */
const acceptsGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((coding) => coding.trim() === 'gzip');
