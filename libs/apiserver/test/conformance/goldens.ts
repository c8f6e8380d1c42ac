import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Group } from './case-list.js';
import type { Transcript } from './run-case.js';
import type { ConformanceCase } from './session.js';

/** The version of Kubernetes whose answers are recorded. */
export const recordedVersion = '1.36.3';

const folder = new URL('goldens/kubernetes-1.36/', import.meta.url);
const file = (group: Group): URL => new URL(`${group}.jsonl`, folder);

/** What the real server said in a case when it was last asked. One line of its group's file each. */
export interface Golden {
  readonly group: Group;
  readonly name: string;
  readonly transcript: Transcript;
}

export function readGoldens(): Golden[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Golden);
}

/** Replaces the records of one group. */
export function writeGoldens(group: Group, goldens: readonly Golden[]): void {
  writeFileSync(file(group), goldens.map((golden) => `${JSON.stringify(golden)}\n`).join(''));
}

/** The record of a case. */
export function goldenOf(goldens: readonly Golden[], { group, name }: ConformanceCase): Transcript | undefined {
  return goldens.find((golden) => golden.group === group && golden.name === name)?.transcript;
}
