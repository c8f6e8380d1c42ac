import { authorizerLibrary } from '../library/authorizers.js';
import { cidrLibrary } from '../library/cidr-ranges.js';
import { conversionLibrary } from '../library/conversions.js';
import { ipLibrary } from '../library/ip-addresses.js';
import { listLibrary } from '../library/lists.js';
import { mapLibrary } from '../library/maps.js';
import { namedFormatLibrary } from '../library/named-formats.js';
import { operatorLibrary } from '../library/operators.js';
import { optionalLibrary } from '../library/optionals.js';
import { declareFunctions, type FunctionDeclaration } from '../library/overload.js';
import { quantityLibrary } from '../library/quantities.js';
import { regexLibrary } from '../library/regexes.js';
import { semverLibrary } from '../library/semvers.js';
import { setLibrary } from '../library/sets.js';
import { formatLibrary } from '../library/string-format.js';
import { stringLibrary } from '../library/strings.js';
import { timePartLibrary } from '../library/time-parts.js';
import { urlLibrary } from '../library/urls.js';
import * as types from '../types/type.js';
import type { Type } from '../types/type.js';

/** What an expression can refer to. */
export interface Environment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly variables: ReadonlyMap<string, Type>;
}

const functions = declareFunctions([
  operatorLibrary,
  conversionLibrary,
  stringLibrary,
  formatLibrary,
  regexLibrary,
  listLibrary,
  setLibrary,
  mapLibrary,
  timePartLibrary,
  optionalLibrary,
  quantityLibrary,
  ipLibrary,
  cidrLibrary,
  urlLibrary,
  semverLibrary,
  namedFormatLibrary,
  authorizerLibrary,
]);

/** Types that expressions can name, and what they are called at run time. */
export const typeNames: ReadonlyMap<string, { readonly type: Type; readonly name: string }> = new Map(
  [
    ...(['bool', 'int', 'uint', 'double', 'string', 'bytes'] as const).map((kind) => [kind, { kind }, kind] as const),
    ['list', types.listOf(types.dyn), 'list'] as const,
    ['map', types.mapOf(types.dyn, types.dyn), 'map'] as const,
    ['null_type', types.nullType, 'null_type'] as const,
    ['type', types.typeOf(undefined), 'type'] as const,
    ['dyn', types.dyn, 'dyn'] as const,
    ['optional_type', types.optionalOf(types.dyn), 'optional_type'] as const,
    ['google.protobuf.Timestamp', types.timestamp, 'google.protobuf.Timestamp'] as const,
    ['google.protobuf.Duration', types.duration, 'google.protobuf.Duration'] as const,
    ['net.IP', types.opaque('net.IP'), 'net.IP'] as const,
    ['net.CIDR', types.opaque('net.CIDR'), 'net.CIDR'] as const,
  ].map(([name, type, shown]) => [name, { type, name: shown }]),
);

/** The environment of Kubernetes, with some variables. */
export const environmentWith = (variables: Readonly<Record<string, Type>>): Environment => ({
  functions,
  variables: new Map(Object.entries(variables)),
});
