import { isBigNumber, isObject } from '../json.js';
import { goDynamicType, goPlain, goSyntax } from '../schemas/go-format.js';
import { fieldStep, shownStep } from './path-element.js';
import { fieldType, itemStep, shapeFor, TypedValueError } from './typed-values.js';
import type { ListType, MapType, ScalarType, ValueType } from './value-type.js';

/**
 * Throws {@link TypedValueError} when a value does not have its type, with what the real server says about it.
 *
 * @param duplicates - whether a list may hold an item twice
 */
export function checkTyped(value: unknown, type: ValueType, duplicates: boolean): void {
  if (fits(value, type, duplicates)) return;
  const errors = new Problems(duplicates).of(value, type);
  throw new TypedValueError(
    errors.length === 1 ? errors[0] : `errors:\n${errors.map((error) => `  ${error}`).join('\n')}`,
  );
}

/** Whether a value has its type. Most have, so nothing is made here that only a refusal needs. */
function fits(value: unknown, type: ValueType, duplicates: boolean): boolean {
  if (value === null || value === undefined) return true;
  const shape = shapeFor(type, value);
  if ('map' in shape) {
    if (!isObject(value)) return false;
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      const member = fieldType(shape.map, name);
      if (member === undefined || !fits(value[name], member, duplicates)) return false;
    }
    return true;
  }
  if ('scalar' in shape) return scalarProblem(value, shape.scalar) === undefined;
  const { list } = shape;
  return (
    Array.isArray(value) &&
    value.every((item) => fits(item, list.item, duplicates)) &&
    (list.atomic || hasSteps(value, list, duplicates))
  );
}

function hasSteps(items: readonly unknown[], list: ListType, duplicates: boolean): boolean {
  try {
    const steps = new Set<string>();
    for (const item of items) steps.add(itemStep(list, item));
    return duplicates || steps.size === items.length;
  } catch (error) {
    if (error instanceof TypedValueError) return false;
    throw error;
  }
}

/** Collects what is wrong with a value. */
class Problems {
  readonly #errors: string[] = [];

  constructor(private readonly duplicates: boolean) {}

  of(value: unknown, type: ValueType): readonly string[] {
    this.#check(value, type, '');
    return this.#errors;
  }

  #add(path: string, text: string): void {
    this.#errors.push(path === '' ? text : `${path}: ${text}`);
  }

  #check(value: unknown, type: ValueType, path: string): void {
    if (value === null || value === undefined) return;
    const shape = shapeFor(type, value);
    if ('map' in shape) this.#checkMap(value, shape.map, path);
    else if ('list' in shape) this.#checkList(value, shape.list, path);
    else {
      const wrong = scalarProblem(value, shape.scalar);
      if (wrong !== undefined) this.#add(path, wrong);
    }
  }

  #checkMap(value: unknown, map: MapType, path: string): void {
    if (!isObject(value)) {
      this.#add(path, `expected map, got &{${goPlain(value)}}`);
      return;
    }
    for (const name of Object.keys(value).sort()) {
      if (value[name] === undefined) continue;
      const type = fieldType(map, name);
      if (type === undefined) {
        this.#add(path + shownStep(fieldStep(name)), 'field not declared in schema');
        // Nothing more is said about a map with an unknown member.
        return;
      }
      this.#check(value[name], type, path + shownStep(fieldStep(name)));
    }
  }

  #checkList(value: unknown, list: ListType, path: string): void {
    if (!Array.isArray(value)) {
      this.#add(path, `expected list, got &{${goPlain(value)}}`);
      return;
    }
    const seen = new Set<string>();
    value.forEach((item: unknown, index) => {
      const step = list.atomic ? `i:${index}` : this.#step(item, index, list, path);
      if (step === undefined) return;
      if (!list.atomic && seen.has(step) && !this.duplicates) {
        this.#add(path, `duplicate entries for key ${shownStep(step)}`);
        return;
      }
      seen.add(step);
      this.#check(item, list.item, path + shownStep(step));
    });
  }

  #step(item: unknown, index: number, list: ListType, path: string): string | undefined {
    try {
      return itemStep(list, item);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      this.#add(path, `element ${index}: ${error.message}`);
      return undefined;
    }
  }
}

function scalarProblem(value: unknown, type: ScalarType): string | undefined {
  switch (type) {
    case 'numeric':
      return typeof value === 'number' || isBigNumber(value)
        ? undefined
        : `expected numeric (int or float), got ${goDynamicType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goPlain(value)}}`;
    case 'untyped':
      return Array.isArray(value) || isObject(value) ? `expected any scalar, got &{${goPlain(value)}}` : undefined;
  }
}
