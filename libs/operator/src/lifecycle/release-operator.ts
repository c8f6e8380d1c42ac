import type { DynamicModule, NestApplicationOptions, Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { ReleasedResource } from '../engine/release/release-objects.js';
import { MissingOperatorModuleError } from '../errors/missing-operator-module.error.js';
import { leavingStartToCaller } from './left-start.js';
import { lifecycleOf } from './operator-lifecycle.js';

/** Options of {@link releaseOperator}; beside its own, those of `NestFactory`. */
export interface ReleaseOperatorOptions extends Omit<NestApplicationOptions, 'abortOnError' | 'preview'> {
  /** Ends the work between two requests. */
  readonly signal?: AbortSignal;
}

/**
 * For uninstalling: takes the operator's finalizers and records from all objects that its handlers serve, so that they can be
 * deleted without it. Creates the application, but starts no operator; no handler is called. Stop the operator first, or it
 * puts back what was taken.
 *
 * Needs the rights to list and patch the resources. Safe to repeat.
 *
 * @throws MissingOperatorModuleError `OPERATOR_MISSING_MODULE`, and what keeps a resource from being listed
 */
export async function releaseOperator(
  root: Type | DynamicModule | Promise<DynamicModule>,
  { signal, ...nest }: ReleaseOperatorOptions = {},
): Promise<readonly ReleasedResource[]> {
  const app = await leavingStartToCaller(() =>
    NestFactory.createApplicationContext(root, { ...nest, abortOnError: false }),
  );
  try {
    const lifecycle = lifecycleOf(app.get(ModulesContainer));
    if (lifecycle === undefined) throw new MissingOperatorModuleError('releaseOperator');
    return await lifecycle.release(signal ?? new AbortController().signal);
  } finally {
    await app.close();
  }
}
