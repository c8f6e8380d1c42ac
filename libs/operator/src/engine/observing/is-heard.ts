import type { EngineObserver } from '../engine-observer.js';

/** Whether somebody wants to know any of these. */
export function isHeard(observer: EngineObserver, ...facts: ReadonlyArray<keyof EngineObserver>): boolean {
  return facts.some((fact) => observer[fact] !== undefined);
}
