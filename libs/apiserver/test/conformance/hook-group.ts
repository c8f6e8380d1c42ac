import { Hooks } from './hooks.js';
import { group, type ConformanceCase, type Session } from './session.js';

/** Collects cases about admission webhooks. */
export function hookGroup(): {
  readonly cases: ConformanceCase[];
  add(name: string, run: (s: Session, hooks: Hooks) => Promise<unknown>): void;
} {
  const { cases, add } = group('admission');
  return {
    cases,
    add: (name, run) =>
      add(name, async (s) => {
        await run(s, await Hooks.open(s));
      }),
  };
}
