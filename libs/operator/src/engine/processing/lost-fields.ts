import { jsonEqual } from '../json/json-equal.js';
import { pathText, type FieldPath } from '../json/field-path.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The paths that a merge patch set and that the answer does not show: the schema of the resource does not know them, and
 * the server drops them. What a patch empties, and lists, which a server may order or complete, are not judged.
 */
export function lostFields(written: unknown, answer: unknown): string[] {
  const lost: string[] = [];
  collect(written, answer, [], lost);
  return lost;
}

function collect(written: unknown, answer: unknown, path: FieldPath, lost: string[]): void {
  if (written === null || written === undefined) return;
  if (isFields(written)) {
    const members = Object.entries(written).filter(([, value]) => value !== null && value !== undefined);
    if (members.length === 0) return;
    if (!isFields(answer)) {
      lost.push(pathText(path));
      return;
    }
    for (const [key, value] of members) collect(value, answer[key], [...path, key], lost);
    return;
  }
  if (answer === undefined && !isEmpty(written)) lost.push(pathText(path));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : jsonEqual(value, '');
}
