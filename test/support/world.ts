import type { ModuleMetadata } from '@nestjs/common';
import type { ClusterTestingModule } from '@nestjs-operator/testing';
import type { KubeClient } from 'nestjs-operator';
import type { OperatorModuleOptions } from 'nestjs-operator/internal';
import type { RecordingTransport } from './recording-transport.js';

export interface OperatorSpec extends Pick<ModuleMetadata, 'imports' | 'providers' | 'controllers'> {
  readonly operator?: Partial<OperatorModuleOptions>;
  /** Wait until it is synced. @defaultValue true */
  readonly synced?: boolean;
}

/** An operator at work, with the list of what it sends. */
export interface RunningOperator extends ClusterTestingModule {
  readonly transport: RecordingTransport;
}

/**
 * A cluster to test operators on: the embedded API server on a virtual clock, or a real control plane in real time. Tests
 * that are written against it run on both.
 */
export interface World {
  readonly kind: 'embedded' | 'real';
  /** An administrator's client. */
  readonly admin: KubeClient;
  /** A namespace of this world's own. */
  readonly namespace: string;
  /** Starts an operator that watches this namespace, and resolves once it is synced, if told so. It is closed with the world. */
  startOperator(spec: OperatorSpec): Promise<RunningOperator>;
  /** Lets time pass until the condition holds; fails when that takes longer than `limit` milliseconds (default one minute). */
  until(condition: () => boolean | Promise<boolean>, limit?: number): Promise<void>;
  /** Lets this much time pass. */
  pass(milliseconds: number): Promise<void>;
  /** Fails if an operator of this world writes anything in the next 30 seconds. Call it last. */
  expectQuiet(): Promise<void>;
  close(): Promise<void>;
}
