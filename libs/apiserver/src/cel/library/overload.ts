import { DurationValue, TimestampValue } from '../values/time.js';
import {
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  TypeValue,
  UintValue,
  type Result,
  type Value,
} from '../values/value.js';
import type { Type } from '../types/type.js';
import { signatureOf, type Signature } from './signature.js';

/** One way to call a function. */
export interface Overload extends Signature {
  readonly apply: (...args: readonly Value[]) => Result;
  /** Whether values are of the types that this overload takes. */
  readonly takes: (args: readonly Value[]) => boolean;
}

/** A function with all its overloads. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** Functions by name. */
export type Library = Readonly<Record<string, readonly Overload[]>>;

/** Declares one way to call a function. The implementation is called with values of the declared types only. */
export function overload(signature: string, apply: (...args: never[]) => Result): Overload {
  const read = signatureOf(signature);
  const checks = read.parameters.map((type) => checkOf(type));
  return {
    ...read,
    apply: apply as (...args: readonly Value[]) => Result,
    takes: (args) => args.length === checks.length && checks.every((check, index) => check(args[index]!)),
  };
}

/** All functions of some libraries. */
export function declareFunctions(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const library of libraries) {
    for (const [name, overloads] of Object.entries(library)) {
      const before = functions.get(name)?.overloads ?? [];
      functions.set(name, { name, overloads: [...before, ...overloads] });
    }
  }
  return functions;
}

type Check = (value: Value) => boolean;

const anything: Check = () => true;

const simpleChecks: Readonly<Record<string, Check>> = {
  null: (value) => value === null,
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  uint: (value) => value instanceof UintValue,
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  timestamp: (value) => value instanceof TimestampValue,
  duration: (value) => value instanceof DurationValue,
  list: (value) => value instanceof ListValue,
  map: (value) => value instanceof MapValue,
  type: (value) => value instanceof TypeValue,
};

function checkOf(type: Type): Check {
  if (type.kind !== 'opaque') return simpleChecks[type.kind] ?? anything;
  if (type.name === 'optional_type') return (value) => value instanceof OptionalValue;
  return (value) => value instanceof OpaqueValue && value.typeName === type.name;
}
