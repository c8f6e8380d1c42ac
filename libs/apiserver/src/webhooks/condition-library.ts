import type * as Library from '../cel/match-conditions/match-conditions.js';

/** What is needed to compile and evaluate match conditions. */
export type ConditionLibrary = typeof Library;

/** Loads it, which a server without conditions does without. */
export const loadConditions = (): Promise<ConditionLibrary> => import('../cel/match-conditions/match-conditions.js');
