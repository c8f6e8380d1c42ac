import type { JsonObject } from '../../src/index.js';
import { gadget, gadgetsOf } from './gadgets.js';
import { group, type CaseBody, type ConformanceCase, type Read, type Session } from './session.js';

type GadgetBody = (
  s: Session,
  path: string,
  as: (manager: string, spec: JsonObject, query?: string) => Promise<Read>,
) => Promise<unknown>;

export const apply = (s: Session, path: string, manager: string, body: unknown, query = ''): Promise<Read> =>
  s.patch('apply', `${path}?fieldManager=${manager}${query}`, body);

/** Collects cases about server-side apply. */
export function applyGroup(): {
  readonly cases: ConformanceCase[];
  add(name: string, run: CaseBody): void;
  /** A case about one gadget; `path` leads to it. */
  addGadget(name: string, run: GadgetBody): void;
} {
  const { cases, add } = group('apply');
  return {
    cases,
    add,
    addGadget: (name, run) =>
      add(name, async (s) => {
        const path = `${await gadgetsOf(s)}/a`;
        await run(s, path, (manager, spec, query) => apply(s, path, manager, gadget(spec), query));
      }),
  };
}
