import { baseName, dyn, isSameType, parametersOf, withParameters, type Type } from './type.js';

const isWildcard = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'error';

const takesNull = (type: Type): boolean =>
  type.kind === 'opaque' || type.kind === 'object' || type.kind === 'duration' || type.kind === 'timestamp';

/** What the checker has found type parameters to stand for. */
export class Substitution {
  #known: Map<string, Type>;

  constructor(known: ReadonlyMap<string, Type> = new Map()) {
    this.#known = new Map(known);
  }

  /** Whether values of one type can be used as the other; what that says about type parameters is kept. */
  assign(from: Type, to: Type): boolean {
    return this.assignAll([from], [to]);
  }

  /** As `assign`, for several types at once: all, or nothing is kept. */
  assignAll(from: readonly Type[], to: readonly Type[]): boolean {
    const attempt = new Substitution(this.#known);
    if (!attempt.#assignEach(from, to)) return false;
    this.#known = attempt.#known;
    return true;
  }

  /** A type with its parameters replaced; those that are not known become `dyn` if wanted. */
  resolve(type: Type, unknownIsDyn: boolean): Type {
    if (type.kind === 'parameter') {
      const known = this.#known.get(type.name);
      if (known !== undefined) return this.resolve(known, unknownIsDyn);
      return unknownIsDyn ? dyn : type;
    }
    const inner = parametersOf(type);
    return inner.length === 0
      ? type
      : withParameters(
          type,
          inner.map((each) => this.resolve(each, unknownIsDyn)),
        );
  }

  #assignEach(from: readonly Type[], to: readonly Type[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#assign(type, to[index]!));
  }

  #assign(from: Type, to: Type): boolean {
    if (to.kind === 'parameter') {
      const { fits, known } = this.#substitute(from, to);
      if (fits || known) return fits;
    }
    if (from.kind === 'parameter') return this.#substitute(to, from).fits;
    if (isWildcard(from) || isWildcard(to)) return true;
    if (from.kind === 'null') return to.kind === 'null' || takesNull(to);
    if (to.kind === 'null') return takesNull(from);
    if (from.kind === 'type' && to.kind === 'type') return true;
    return baseName(from) === baseName(to) && this.#assignEach(parametersOf(from), parametersOf(to));
  }

  /** Whether a parameter can stand for a type, and whether it is known already what it stands for. */
  #substitute(type: Type, parameter: Type & { kind: 'parameter' }): { fits: boolean; known: boolean } {
    if (isSameType(type, parameter)) return { fits: true, known: true };
    const known = this.#known.get(parameter.name);
    if (known !== undefined) {
      if (isSameType(type, known)) return { fits: true, known: true };
      if (!this.#assign(type, known)) return { fits: false, known: true };
      const general = isAtLeastAsGeneral(type, known) ? type : known;
      if (!this.#mentions(general, parameter)) this.#known.set(parameter.name, general);
      return { fits: true, known: true };
    }
    if (this.#mentions(type, parameter)) return { fits: false, known: false };
    this.#known.set(parameter.name, type);
    return { fits: true, known: false };
  }

  #mentions(type: Type, parameter: Type & { kind: 'parameter' }): boolean {
    if (type.kind === 'parameter') {
      if (type.name === parameter.name) return true;
      const known = this.#known.get(type.name);
      return known !== undefined && this.#mentions(known, parameter);
    }
    return parametersOf(type).some((inner) => this.#mentions(inner, parameter));
  }
}

/** Of two types that go together, whether the first one takes at least what the second one takes. */
export function isAtLeastAsGeneral(a: Type, b: Type): boolean {
  if (isWildcard(a) || a.kind === 'parameter') return true;
  if (isWildcard(b) || b.kind === 'parameter') return false;
  if (a.kind === 'type' && b.kind === 'type') return true;
  if (baseName(a) !== baseName(b)) return false;
  const inB = parametersOf(b);
  return parametersOf(a).every((type, index) => isAtLeastAsGeneral(type, inB[index]!));
}
