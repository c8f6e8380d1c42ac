import { isObject } from '../json.js';

type Step = { key: string } | { index: number } | { all: true } | { filter: [string, string] };

/** Reads the subset of JSONPath that CustomResourceDefinitions use: members, quoted members, indexes, `[*]`, one equality filter. */
export function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  const pattern =
    /\.((?:[^.[\]\\]|\\.)+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([\w.-]+)\s*==\s*['"]([^'"]*)['"]\)\]/gy;
  while (pattern.lastIndex < path.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(path);
    if (match === null) throw new SyntaxError(`JSONPath ${path}: cannot read ${path.slice(start)}`);
    const key = match[1] ?? match[2] ?? match[3];
    if (key !== undefined) steps.push(key === '*' ? { all: true } : { key: key.replaceAll(/\\(.)/g, '$1') });
    else if (match[4] !== undefined) steps.push({ index: Number(match[4]) });
    else if (match[5] !== undefined) steps.push({ all: true });
    else steps.push({ filter: [match[6]!, match[7]!] });
  }
  return steps;
}

const parsed = new Map<string, Step[]>();

/** All values that a path selects. */
export function evaluatePath(root: unknown, path: string): unknown[] {
  let steps = parsed.get(path);
  if (steps === undefined) {
    steps = parsePath(path);
    parsed.set(path, steps);
  }
  let current: unknown[] = [root];
  for (const step of steps) {
    current = current.flatMap((value): unknown[] => {
      if ('key' in step) return isObject(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
      if ('index' in step) return Array.isArray(value) && step.index < value.length ? [value[step.index]] : [];
      const members: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
      if ('all' in step) return members;
      const [member, wanted] = step.filter;
      return members.filter((item) => evaluatePath(item, `.${member}`)[0] === wanted);
    });
  }
  return current;
}
