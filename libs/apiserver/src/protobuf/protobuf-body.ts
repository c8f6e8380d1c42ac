import type { JsonObject } from '../json.js';
import { messageOfKind } from './message-notation.js';
import { printMessage } from './message-printing.js';
import { readMessage } from './message-reading.js';
import { WireError, WireReader } from './wire-reader.js';

export const protobufType = 'application/vnd.kubernetes.protobuf';

const prefix = Buffer.from('k8s\0');

/** The envelope in which an object is sent. */
interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** What a body in protobuf says. */
export interface ProtobufObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object with apiVersion and kind as JSON; undefined for a kind that there is no table for. */
  readonly object: JsonObject | undefined;
}

/** The bytes are an object of this kind, but cannot be read as one. */
export class ProtobufObjectError extends Error {
  constructor(
    readonly apiVersion: string,
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Decodes the body of a request. What the envelope leaves open is as in `expected`.
 *
 * Throws WireError when it is no envelope, and ProtobufObjectError when its content is malformed.
 */
export function decodeProtobuf(bytes: Buffer, expected: { apiVersion: string; kind: string }): ProtobufObject {
  const envelope = readEnvelope(bytes);
  const apiVersion = isGroupVersion(envelope.apiVersion) ? envelope.apiVersion : expected.apiVersion;
  const kind = envelope.kind === '' ? expected.kind : envelope.kind;
  const message = messageOfKind(apiVersion, kind);
  if (message === undefined) return { apiVersion, kind, object: undefined };
  try {
    const content = readMessage(message, new WireReader(envelope.raw, 0, envelope.raw.length), new Map());
    return { apiVersion, kind, object: { kind, apiVersion, ...printMessage(message, content) } };
  } catch (error) {
    if (error instanceof WireError) throw new ProtobufObjectError(apiVersion, kind, error.message);
    throw error;
  }
}

const isGroupVersion = (text: string): boolean => text !== '' && text.split('/').length <= 2;

function readEnvelope(bytes: Buffer): Envelope {
  if (bytes.length === 0) throw new WireError('empty data');
  if (!bytes.subarray(0, prefix.length).equals(prefix)) {
    throw new WireError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === prefix.length) throw new WireError('empty body');
  const envelope: { -readonly [K in keyof Envelope]: Envelope[K] } = { apiVersion: '', kind: '', raw: Buffer.alloc(0) };
  const names = { 1: 'TypeMeta', 2: 'Raw', 3: 'ContentEncoding', 4: 'ContentType' } as const;
  readFields('Unknown', new WireReader(bytes, prefix.length, bytes.length), names, (field, reader) => {
    if (field === 1) {
      readFields('TypeMeta', reader.message(), { 1: 'APIVersion', 2: 'Kind' }, (part, inner) => {
        envelope[part === 1 ? 'apiVersion' : 'kind'] = inner.chunk().toString();
      });
    } else if (field === 2) envelope.raw = reader.chunk();
    else reader.chunk();
  });
  return envelope;
}

/** Reads a message whose fields are all texts, bytes or messages. */
function readFields(
  name: string,
  reader: WireReader,
  names: Readonly<Record<number, string>>,
  read: (field: number, reader: WireReader) => void,
): void {
  while (!reader.done) {
    const { field, wire, raw } = reader.tag();
    if (wire === 4) throw new WireError(`proto: ${name}: wiretype end group for non-group`);
    if (field <= 0) throw new WireError(`proto: ${name}: illegal tag ${field} (wire type ${raw})`);
    const goName = names[field];
    if (goName === undefined) reader.skip(wire);
    else if (wire !== 2) throw new WireError(`proto: wrong wireType = ${wire} for field ${goName}`);
    else read(field, reader);
  }
}
