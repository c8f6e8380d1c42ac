import type { JsonObject } from '../../src/index.js';
import type { CaseBody, Session } from './session.js';

/** Cases about one member of the specification of a kind. */
export interface MemberCases {
  /** Tries to create objects with each of the values. */
  values(name: string, member: string, values: readonly unknown[]): void;
  /** Creates an object with one value, and changes it to others. */
  changes(name: string, member: string, first: unknown, changes: readonly unknown[]): void;
}

export function memberCases(
  add: (name: string, run: CaseBody) => void,
  pathOf: (s: Session) => Promise<string>,
  object: (spec: JsonObject) => JsonObject,
): MemberCases {
  return {
    values: (name, member, values) => {
      add(name, async (s) => {
        const path = await pathOf(s);
        for (const value of values) await s.post(`${path}?dryRun=All`, object({ [member]: value as JsonObject }));
      });
    },
    changes: (name, member, first, changes) => {
      add(name, async (s) => {
        const path = await pathOf(s);
        await s.post(path, object({ [member]: first as JsonObject }));
        for (const change of changes) {
          await s.patch('json', `${path}/a`, [{ op: 'add', path: `/spec/${member}`, value: change }]);
        }
      });
    },
  };
}
