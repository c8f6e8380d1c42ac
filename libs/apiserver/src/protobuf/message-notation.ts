import { messageTable } from './message-table.js';

/**
 * What a field holds: `s` string, `y` bytes, `b` boolean, `i` integer, `d` double, `@` a message; and values with a JSON form
 * of their own: `T` Time, `U` MicroTime, `Q` Quantity, `I` IntOrString, `F` FieldsV1, `R` raw JSON, and of a
 * CustomResourceDefinition's schemas `A` schema or list, `B` schema or boolean, `C` schema or names.
 */
export type ValueKind = 's' | 'y' | 'b' | 'i' | 'd' | '@' | 'T' | 'U' | 'Q' | 'I' | 'F' | 'R' | 'A' | 'B' | 'C';

export interface Field {
  /** Name in JSON; empty for a message whose members stand among those of the one around it. */
  readonly json: string;
  /** Name in the errors of the real server. */
  readonly goName: string;
  readonly number: number;
  /** `?` leaves out what is empty, `!` also a message, `+` is a message without a name of its own. */
  readonly presence: '' | '?' | '!' | '+';
  /** Absent is something else than zero. */
  readonly pointer: boolean;
  readonly shape: 'one' | 'list' | 'map';
  /** Each value is a message that holds a list as its first field. */
  readonly wrapped: boolean;
  readonly kind: ValueKind;
  /** Name of the message, for kind `@`. */
  readonly message: string;
}

export interface Message {
  readonly name: string;
  /** In the order of JSON. */
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

// What is on the wire for the kinds with a JSON form of their own, in the notation of the table.
const schema = '@apiextensions.v1.JSONSchemaProps';
const ownForms = {
  T: ['Timestamp', 'seconds:1i nanos:2i'],
  U: ['Timestamp', 'seconds:1i nanos:2i'],
  Q: ['Quantity', 'string:1s'],
  I: ['IntOrString', 'type:1i intVal:2i strVal:3s'],
  F: ['FieldsV1', 'raw:1y'],
  R: ['RawExtension', 'raw:1y'],
  A: ['JSONSchemaPropsOrArray', `schema:1*${schema} jSONSchemas:2[${schema}`],
  B: ['JSONSchemaPropsOrBool', `allows:1b schema:2*${schema}`],
  C: ['JSONSchemaPropsOrStringArray', `schema:1*${schema} property:2[s`],
} as const;

let lines: ReadonlyMap<string, string> | undefined;
const messages = new Map<string, Message>();

/** The table, cut into lines with the first use: a server that is never sent protobuf pays nothing. */
function table(): ReadonlyMap<string, string> {
  lines ??= new Map(
    messageTable
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), line.slice(space + 1)];
      }),
  );
  return lines;
}

/** A message by its name in the table, such as `core.v1.ConfigMap`. */
export function messageOf(name: string): Message | undefined {
  const known = messages.get(name);
  if (known !== undefined) return known;
  const line = table().get(name);
  return line === undefined ? undefined : remember(name, line);
}

function remember(name: string, line: string): Message {
  const own = name.slice(0, name.lastIndexOf('.') + 1);
  const fields = line === '' ? [] : line.split(' ').map((text) => fieldOf(text, own));
  const message = { name, fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
  messages.set(name, message);
  return message;
}

/** The message that is on the wire for a value that is no plain one. */
export function messageBehind({ kind, message }: Field): Message {
  if (kind in ownForms) {
    const [name, line] = ownForms[kind as keyof typeof ownForms];
    return messages.get(name) ?? remember(name, line);
  }
  const found = messageOf(message);
  if (found === undefined) throw new Error(`there is no message ${message}`);
  return found;
}

/** The message of an object that is known by apiVersion and kind. */
export function messageOfKind(apiVersion: string, kind: string): Message | undefined {
  // Known in every group.
  if (kind === 'DeleteOptions') return messageOf('meta.v1.DeleteOptions');
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? 'core' : apiVersion.slice(0, slash).split('.')[0]!;
  return messageOf(`${group}.${apiVersion.slice(slash + 1)}.${kind}`);
}

const notation = /^([^=:]*)(?:=(\w+))?:(\d+)([?!+]?)([[{]?)(L?)(\*?)(.)(.*)$/;

// A field is written as name, `=` and its Go name where that is not the same, `:` number, presence, `*` for a pointer, `[` for a
// list or `{` for a map by strings, `L` for wrapped lists, kind, and the message's name; without a package it is of the same one.
function fieldOf(text: string, own: string): Field {
  const [, json, goName, number, presence, shape, wrapped, pointer, kind, message] = notation.exec(text) ?? [];
  if (json === undefined || message === undefined) throw new Error(`no field: ${text}`);
  return {
    json,
    goName: goName ?? json.charAt(0).toUpperCase() + json.slice(1),
    number: Number(number),
    presence: presence as Field['presence'],
    pointer: pointer === '*',
    shape: shape === '[' ? 'list' : shape === '{' ? 'map' : 'one',
    wrapped: wrapped === 'L',
    kind: kind as ValueKind,
    message: kind === '@' && !message.includes('.') ? own + message : message,
  };
}
