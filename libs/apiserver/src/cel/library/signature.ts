import * as types from '../types/type.js';
import type { Type } from '../types/type.js';

/** A function's types, as they are written in this folder: `string.(string, int) list(T)` or `(T) bool`. */
export interface Signature {
  readonly method: boolean;
  /** With the target first, for methods. */
  readonly parameters: readonly Type[];
  readonly result: Type;
}

const simple: Readonly<Record<string, Type>> = {
  ...Object.fromEntries(
    (['dyn', 'null', 'bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'] as const).map(
      (kind) => [kind, { kind }],
    ),
  ),
  IP: types.opaque('net.IP'),
  CIDR: types.opaque('net.CIDR'),
  URL: types.opaque('kubernetes.URL'),
  Quantity: types.opaque('kubernetes.Quantity'),
  Semver: types.opaque('kubernetes.Semver'),
  NamedFormat: types.opaque('kubernetes.NamedFormat'),
  Authorizer: types.opaque('kubernetes.authorization.Authorizer'),
  PathCheck: types.opaque('kubernetes.authorization.PathCheck'),
  GroupCheck: types.opaque('kubernetes.authorization.GroupCheck'),
  ResourceCheck: types.opaque('kubernetes.authorization.ResourceCheck'),
  Decision: types.opaque('kubernetes.authorization.Decision'),
};

const known = new Map<string, Signature>();

/** Reads a signature; capital letters alone are type parameters. */
export function signatureOf(text: string): Signature {
  let found = known.get(text);
  if (found === undefined) {
    found = new SignatureReader(text).read();
    known.set(text, found);
  }
  return found;
}

class SignatureReader {
  #at = 0;

  constructor(private readonly text: string) {}

  read(): Signature {
    const target = this.text[0] === '(' ? [] : [this.#type()];
    if (target.length > 0) this.#expect('.');
    const parameters = [...target, ...this.#types()];
    this.#expect(' ');
    return { method: target.length > 0, parameters, result: this.#type() };
  }

  #expect(text: string): void {
    if (!this.text.startsWith(text, this.#at)) throw new Error(`'${text}' is missing in signature '${this.text}'`);
    this.#at += text.length;
  }

  #types(): Type[] {
    this.#expect('(');
    const found: Type[] = [];
    while (this.text[this.#at] !== ')') {
      if (found.length > 0) this.#expect(', ');
      found.push(this.#type());
    }
    this.#expect(')');
    return found;
  }

  #type(): Type {
    const name = /^\w+/.exec(this.text.slice(this.#at))?.[0] ?? '';
    this.#at += name.length;
    if (/^[A-Z]$/.test(name)) return types.parameter(name);
    const plain = simple[name];
    if (plain !== undefined) return plain;
    const inner = this.#types();
    switch (name) {
      case 'list':
        return types.listOf(inner[0]!);
      case 'map':
        return types.mapOf(inner[0]!, inner[1]!);
      case 'optional':
        return types.optionalOf(inner[0]!);
      case 'type':
        return types.typeOf(inner[0]);
      default:
        throw new Error(`unknown type '${name}' in signature '${this.text}'`);
    }
  }
}
