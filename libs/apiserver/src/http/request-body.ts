import type { IncomingMessage } from 'node:http';
import { parseJson } from '../json.js';
import { protobufBytes } from '../pipeline/body-decoding.js';
import { decodeProtobuf, protobufType } from '../protobuf/protobuf-body.js';

/** The client went away before its request was complete; there is nobody to answer. */
export class ClientGone extends Error {}

/**
 * Reads the body to its end; undefined when it is longer than `limit` bytes. Protobuf is no text: it comes with one
 * character per byte.
 */
export function readBody(request: IncomingMessage, limit: number): string | Promise<string | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return '';
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const gone = (error?: unknown): void => {
      if (!request.complete) reject(new ClientGone('the request was not complete', { cause: error }));
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    });
    request.once('error', gone);
    request.once('close', gone);
    request.once('end', () => {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      resolve(size > limit ? undefined : bytes.toString(isProtobuf(request) ? 'latin1' : 'utf8'));
    });
  });
}

const isProtobuf = ({ headers }: IncomingMessage): boolean => contentTypeOf(headers['content-type']) === protobufType;

/** The body as the request log keeps it. */
export function readable(text: string, contentType: string | undefined): unknown {
  if (text === '') return undefined;
  try {
    if (contentTypeOf(contentType) !== protobufType) return parseJson(text);
    return decodeProtobuf(protobufBytes(text), { apiVersion: '', kind: '' }).object ?? text;
  } catch {
    // Neither JSON nor protobuf (YAML, broken on purpose): the log keeps the text.
    return text;
  }
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const parameter = `\\s*;\\s*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*")`;
const mediaTypePattern = new RegExp(`^\\s*(${token}/${token})(?:${parameter})*\\s*;?\\s*$`);

/** The media type of a body without its parameters, and what no server reads for a header that is malformed. */
export function contentTypeOf(header: string | undefined): string {
  if (header === undefined || header.trim() === '') return '';
  return mediaTypePattern.exec(header)?.[1]?.toLowerCase() ?? 'malformed';
}

/** The type of a patch, which is compared as it is written. */
export const patchTypeOf = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim();
