import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { MissingOperatorModuleError } from '../errors/missing-operator-module.error.js';
import { lifecycleOf, type OperatorLifecycle } from './operator-lifecycle.js';
import { OperatorRef } from './operator.ref.js';
import type { GuardedEvents } from './process-guards.js';

/** An application and its operator. */
export interface AttachedOperator {
  readonly ref: OperatorRef;
  readonly lifecycle: OperatorLifecycle;
}

/**
 * Hands the application to its operator.
 *
 * With `crash: 'reject'` the process belongs to its owner, and so do its signals and foreign errors.
 *
 * @throws MissingOperatorModuleError `OPERATOR_MISSING_MODULE`
 */
export function attachOperator(
  application: INestApplicationContext,
  caller: string,
  errors: GuardedEvents['errors'],
): AttachedOperator {
  // A look-up of an absent provider would end the process of an HTTP application, even inside try and catch.
  const lifecycle = lifecycleOf(application.get(ModulesContainer));
  if (lifecycle === undefined) throw new MissingOperatorModuleError(caller);
  lifecycle.attach(application, { signals: lifecycle.options.crash === 'exit', errors });
  return { ref: lifecycle.moduleRef.get(OperatorRef), lifecycle };
}
