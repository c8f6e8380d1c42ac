import type { RequestFaults } from './request-faults.js';

/** What faults do to the bytes of one answer. */
export interface AnswerEffects {
  readonly cut: { readonly afterBytes: number; readonly how: 'reset' | 'close' } | undefined;
  readonly stall: { readonly afterBytes?: number; readonly afterEvents?: number; readonly ms?: number } | undefined;
  readonly rechunk: number | undefined;
  readonly resetAfterHeaders: boolean;
  readonly delayEvents: number;
  readonly endAfter: number | undefined;
  readonly expireAfter: number | undefined;
  readonly slowReader: number | undefined;
}

const untouched: AnswerEffects = {
  cut: undefined,
  stall: undefined,
  rechunk: undefined,
  resetAfterHeaders: false,
  delayEvents: 0,
  endAfter: undefined,
  expireAfter: undefined,
  slowReader: undefined,
};

/** Of effects that exclude each other the last one counts. */
export function effectsOf(faults: RequestFaults): AnswerEffects {
  if (faults.empty) return untouched;
  const effects: { -readonly [K in keyof AnswerEffects]: AnswerEffects[K] } = { ...untouched };
  for (const action of faults.actions) {
    if (action.action === 'cut') effects.cut = { afterBytes: action.afterBytes, how: action.how ?? 'reset' };
    else if (action.action === 'stall') effects.stall = action;
    else if (action.action === 'rechunk') effects.rechunk = action.bytes;
    else if (action.action === 'reset') effects.resetAfterHeaders = action.when === 'afterHeaders';
    else if (action.action === 'delayEvents') effects.delayEvents += action.ms;
    else if (action.action === 'endStream') effects.endAfter = action.afterEvents ?? 0;
    else if (action.action === 'expire') effects.expireAfter = action.afterEvents ?? 0;
    else if (action.action === 'endSlowReader') effects.slowReader = action.bytes;
  }
  return effects;
}
