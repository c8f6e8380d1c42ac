import { parseJson, setKey, type JsonObject } from '../json.js';
import { messageBehind, messageOf, type Field, type Message } from './message-notation.js';
import type { Content } from './message-reading.js';
import { WireError } from './wire-reader.js';

/** The JSON that Go prints for a message. Throws WireError for values that have none. */
export function printMessage(message: Message, content: Content): JsonObject {
  const out: JsonObject = {};
  for (const field of message.fields) {
    const value = content.get(field);
    if (field.presence === '+') {
      const part = (value ?? new Map()) as Content;
      Object.assign(out, printMessage(messageBehind(field), part));
    } else if (!isLeftOut(field, value)) {
      setKey(out, field.json, printField(field, value));
    }
  }
  return out;
}

function isLeftOut(field: Field, value: unknown): boolean {
  if (field.presence === '') return false;
  if (field.pointer) return value === undefined;
  if (field.shape === 'list') return value === undefined;
  if (field.shape === 'map') return value === undefined;
  switch (field.kind) {
    case 's':
      return value === undefined || value === '';
    case 'y':
      return value === undefined || (value as Buffer).length === 0;
    case 'b':
      return value !== true;
    case 'i':
      return value === undefined || value === 0n;
    case 'd':
      return value === undefined || value === 0;
    default:
      return field.presence === '!' && (value === undefined || (value as Content).size === 0);
  }
}

function printField(field: Field, value: unknown): unknown {
  if (value === undefined && (field.pointer || field.shape !== 'one')) return null;
  if (field.shape === 'list') return (value as unknown[]).map((item) => printValue(field, item));
  if (field.shape === 'map') {
    const out: JsonObject = {};
    const map = value as Map<string, unknown>;
    for (const key of [...map.keys()].sort()) {
      const entry = map.get(key);
      const printed = field.wrapped
        ? (entry as unknown[]).map((item) => printValue(field, item))
        : printValue(field, entry);
      setKey(out, key, printed);
    }
    return out;
  }
  return printValue(field, value);
}

/** An integer of 64 bits, exact also beyond what a double holds. */
const integer = (value: bigint): unknown => parseJson(String(value));

function printValue(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 's':
      return value ?? '';
    case 'y':
      return value === undefined ? null : (value as Buffer).toString('base64');
    case 'b':
      return value ?? false;
    case 'i':
      return integer((value as bigint | undefined) ?? 0n);
    case 'd':
      return value ?? 0;
    case '@':
      return printMessage(messageBehind(field), (value as Content | undefined) ?? new Map());
    default: {
      const content = (value as Content | undefined) ?? new Map<Field, unknown>();
      return printOwnForm(field, ...messageBehind(field).fields.map((part) => content.get(part)));
    }
  }
}

function printOwnForm(field: Field, first?: unknown, second?: unknown, third?: unknown): unknown {
  const schema = (content: unknown): JsonObject =>
    printMessage(messageOf('apiextensions.v1.JSONSchemaProps')!, content as Content);
  switch (field.kind) {
    case 'T':
    case 'U':
      return first === undefined && second === undefined ? null : time(field.kind, first, second);
    case 'Q':
      return first === undefined || first === '' ? '0' : first;
    case 'I': {
      const type = first ?? 0n;
      if (type === 1n) return third ?? '';
      if (type !== 0n) throw new WireError('impossible IntOrString.Type');
      return integer(BigInt.asIntN(32, (second as bigint | undefined) ?? 0n));
    }
    case 'F':
    case 'R':
      return first === undefined ? null : rawJson(first as Buffer);
    case 'A':
      return second === undefined ? (first === undefined ? null : schema(first)) : (second as unknown[]).map(schema);
    case 'B':
      return second === undefined ? first === true : schema(second);
    case 'C':
      return second ?? (first === undefined ? null : schema(first));
    default:
      throw new Error(`the kind ${field.kind} has no JSON form of its own`);
  }
}

function time(kind: 'T' | 'U', seconds: unknown, nanos: unknown): string {
  const milliseconds = Number((seconds as bigint | undefined) ?? 0n) * 1000;
  if (!(Math.abs(milliseconds) <= 8.64e15)) throw new WireError('the time is out of range');
  const whole = new Date(milliseconds).toISOString().slice(0, -'.000Z'.length);
  if (kind === 'T') return `${whole}Z`;
  const micros = Math.floor(Number(BigInt.asIntN(32, (nanos as bigint | undefined) ?? 0n)) / 1000);
  return `${whole}.${String(micros).padStart(6, '0')}Z`;
}

function rawJson(raw: Buffer): unknown {
  try {
    return parseJson(raw.toString());
  } catch (error) {
    throw new WireError(error instanceof Error ? error.message : String(error));
  }
}
