import type { CountingProxy } from './counting-proxy.js';

/** An operator in the comparison. It can be started again after a stop. */
export interface Contender {
  readonly name: 'Kopf' | 'nestjs-operator';
  readonly namespace: string;
  readonly proxy: CountingProxy;
  /** All calls of handlers so far: the object, and what was called for. */
  readonly calls: ReadonlyArray<readonly [name: string, what: string]>;
  /** Resolves when it is at work. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
