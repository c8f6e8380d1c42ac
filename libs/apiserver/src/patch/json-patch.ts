import { clone, deepEqual, isObject, isTooDeep, setKey, type JsonObject } from '../json.js';

export interface JsonPatchOperation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

/** What all copies of one patch may add up to, in characters of JSON; else a few operations could fill the memory. */
const mostCopied = 3 * 1024 * 1024;

/** An operation that could not be carried out. */
export class JsonPatchError extends Error {
  constructor(operation: number, why: string) {
    super(`operation ${operation}: ${why}`);
    this.name = 'JsonPatchError';
  }
}

/** Applies an RFC 6902 patch to a copy of the document. */
export function jsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let root = clone(document);
  let copied = 0;
  operations.forEach((operation, number) => {
    const fail = (why: string): never => {
      throw new JsonPatchError(number, why);
    };
    const pointer = (text: unknown): string[] => {
      if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) return fail('path is not a JSON pointer');
      return text
        .split('/')
        .slice(1)
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    };
    // Negative indexes count from the end, as in the library that the real server uses.
    const index = (part: string, length: number): number => {
      if (!/^(0|-?[1-9]\d*)$/.test(part)) return fail(`${part} is no index`);
      const at = Number(part) < 0 ? Number(part) + length : Number(part);
      return at >= 0 && at < length ? at : fail(`no element ${part}`);
    };
    const read = (path: readonly string[]): unknown =>
      path.reduce<unknown>((value, part) => {
        if (Array.isArray(value)) return value[index(part, value.length)];
        if (isObject(value) && Object.hasOwn(value, part)) return value[part];
        return fail(`no member ${part}`);
      }, root);
    const change = (
      path: readonly string[],
      onArray: (array: unknown[], part: string) => void,
      onObject: (object: JsonObject, part: string) => void,
    ): void => {
      const last = path.at(-1)!;
      const parent = read(path.slice(0, -1));
      if (Array.isArray(parent)) onArray(parent, last);
      else if (isObject(parent)) onObject(parent, last);
      else fail(`no container at ${last}`);
    };
    const add = (path: readonly string[], value: unknown): void => {
      if (path.length === 0) root = value;
      else {
        change(
          path,
          (array, part) => void array.splice(part === '-' ? array.length : index(part, array.length + 1), 0, value),
          (object, part) => setKey(object, part, value),
        );
      }
    };
    const remove = (path: readonly string[]): void => {
      if (path.length === 0) return fail('the whole document cannot be removed');
      change(
        path,
        (array, part) => void array.splice(index(part, array.length), 1),
        (object, part) => {
          if (!Object.hasOwn(object, part)) fail(`no member ${part}`);
          delete object[part];
        },
      );
    };
    const value = (): unknown => (Object.hasOwn(operation, 'value') ? clone(operation.value) : fail('no value'));

    const path = pointer(operation.path);
    switch (operation.op) {
      case 'add':
        return add(path, value());
      case 'remove':
        return remove(path);
      case 'replace':
        // A member that is absent is added, as by the library that the real server uses.
        if (path.length === 0) root = value();
        else {
          change(
            path,
            (array, part) => void (array[index(part, array.length)] = value()),
            (object, part) => setKey(object, part, value()),
          );
        }
        return;
      case 'move': {
        const from = pointer(operation.from);
        if (path.length > from.length && from.every((part, at) => part === path[at])) fail('cannot move into itself');
        const moved = read(from);
        remove(from);
        return add(path, moved);
      }
      case 'copy': {
        const original = read(pointer(operation.from));
        if (isTooDeep(original)) fail('the value is nested too deep');
        copied += JSON.stringify(original).length;
        if (copied > mostCopied) fail(`more than ${mostCopied} characters are copied`);
        return add(path, clone(original));
      }
      case 'test': {
        // A test for null also holds where the member is absent, as with the library that the real server uses.
        let found: unknown;
        try {
          found = read(path);
        } catch (error) {
          if (!(error instanceof JsonPatchError) || operation.value !== null) throw error;
          found = null;
        }
        if (!deepEqual(found, operation.value)) fail('test failed');
        return;
      }
      default:
        return fail(`unknown operation ${JSON.stringify(operation.op)}`);
    }
  });
  if (isTooDeep(root)) throw new JsonPatchError(operations.length - 1, 'the document is nested too deep');
  return root;
}
