/** A type of the expression language, as the checker knows it. */
export type Type =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'list'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  /** Types that only functions can look into. */
  | { readonly kind: 'opaque'; readonly name: string; readonly parameters: readonly Type[] }
  /** An object with fields of known types. */
  | { readonly kind: 'object'; readonly name: string; readonly field: (name: string) => Type | undefined }
  /** The type of a type. */
  | { readonly kind: 'type'; readonly of: Type | undefined }
  /** Stands for one type throughout a function's signature. */
  | { readonly kind: 'parameter'; readonly name: string };

export type SimpleKind =
  'dyn' | 'error' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration';

export const dyn: Type = { kind: 'dyn' };
export const errorType: Type = { kind: 'error' };
export const nullType: Type = { kind: 'null' };
export const bool: Type = { kind: 'bool' };
export const int: Type = { kind: 'int' };
export const uint: Type = { kind: 'uint' };
export const double: Type = { kind: 'double' };
export const string: Type = { kind: 'string' };
export const bytes: Type = { kind: 'bytes' };
export const timestamp: Type = { kind: 'timestamp' };
export const duration: Type = { kind: 'duration' };

export const listOf = (element: Type): Type => ({ kind: 'list', element });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', key, value });
export const typeOf = (of: Type | undefined): Type => ({ kind: 'type', of });
export const parameter = (name: string): Type => ({ kind: 'parameter', name });
export const opaque = (name: string, ...parameters: Type[]): Type => ({ kind: 'opaque', name, parameters });

const optionalName = 'optional_type';
export const optionalOf = (of: Type): Type => opaque(optionalName, of);
/** The type within an optional one, or undefined. */
export const insideOptional = (type: Type): Type | undefined =>
  type.kind === 'opaque' && type.name === optionalName ? type.parameters[0] : undefined;

/** The types within a type. */
export function parametersOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
      return [type.element];
    case 'map':
      return [type.key, type.value];
    case 'opaque':
      return type.parameters;
    case 'type':
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

/** The same type with other types within. */
export function withParameters(type: Type, parameters: readonly Type[]): Type {
  switch (type.kind) {
    case 'list':
      return listOf(parameters[0]!);
    case 'map':
      return mapOf(parameters[0]!, parameters[1]!);
    case 'opaque':
      return { ...type, parameters };
    case 'type':
      return type.of === undefined ? type : typeOf(parameters[0]);
    default:
      return type;
  }
}

/** What makes a type what it is beside the types within it. */
export function baseName(type: Type): string {
  return type.kind === 'opaque' || type.kind === 'object' || type.kind === 'parameter'
    ? `${type.kind} ${type.name}`
    : type.kind;
}

/** Whether two types are the same in every part. */
export function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (baseName(a) !== baseName(b)) return false;
  const inA = parametersOf(a);
  const inB = parametersOf(b);
  return inA.length === inB.length && inA.every((type, index) => isSameType(type, inB[index]!));
}

/** A type as messages show it. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatType(type.element)})`;
    case 'map':
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case 'opaque':
      return type.parameters.length === 0
        ? type.name
        : `${type.name}(${type.parameters.map((inner) => formatType(inner)).join(', ')})`;
    case 'object':
    case 'parameter':
      return type.name;
    case 'type':
      return type.of === undefined ? 'type' : `type(${formatType(type.of)})`;
    case 'error':
      return '!error!';
    default:
      return type.kind;
  }
}

/** A function's arguments as messages show them. */
export function formatSignature(types: readonly Type[], isMethod: boolean): string {
  const shown = types.map((type) => formatType(type));
  return isMethod ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
}
