import type { Engine, EngineOptions } from '../engine/engine-types.js';

/** Makes the engine; tests replace it through its token. */
export type EngineFactory = (options: EngineOptions) => Engine;
