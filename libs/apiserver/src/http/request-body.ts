import type { IncomingMessage } from 'node:http';
import { parseJson } from '../json.js';

/** The client went away before its request was complete; there is nobody to answer. */
export class ClientGone extends Error {}

/** Reads the body to its end; undefined when it is longer than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
    }
  } catch (error) {
    throw new ClientGone('the request was not complete', { cause: error });
  }
  return size > limit ? undefined : Buffer.concat(chunks).toString();
}

/** The body as the request log keeps it. */
export function readable(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    // Not JSON (YAML, protobuf, broken on purpose): the log keeps the text.
    return text;
  }
}

export const mediaType = (header: string | undefined): string => (header ?? '').split(';')[0]!.trim().toLowerCase();
