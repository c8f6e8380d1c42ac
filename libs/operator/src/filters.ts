type Predicate<Arguments extends readonly unknown[]> = (...args: Arguments) => unknown;

/** A condition that holds when all of these hold. For `when`, and for functions that match labels, annotations and values. */
export function allOf<Arguments extends readonly unknown[]>(
  ...conditions: ReadonlyArray<Predicate<Arguments>>
): (...args: Arguments) => boolean {
  return (...args) => conditions.every((condition) => Boolean(condition(...args)));
}

/** A condition that holds when one of these holds. */
export function anyOf<Arguments extends readonly unknown[]>(
  ...conditions: ReadonlyArray<Predicate<Arguments>>
): (...args: Arguments) => boolean {
  return (...args) => conditions.some((condition) => Boolean(condition(...args)));
}

/** A condition that holds when none of these holds. */
export function noneOf<Arguments extends readonly unknown[]>(
  ...conditions: ReadonlyArray<Predicate<Arguments>>
): (...args: Arguments) => boolean {
  return (...args) => !conditions.some((condition) => Boolean(condition(...args)));
}

/** A condition that holds when this one does not. */
export function not<Arguments extends readonly unknown[]>(
  condition: Predicate<Arguments>,
): (...args: Arguments) => boolean {
  return (...args) => !condition(...args);
}
