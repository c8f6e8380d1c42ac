import type { DynamicModule } from '@nestjs/common';
import { OperatorModule } from '../../../src/operator.module.js';
import type { OperatorModuleOptions } from '../../../src/operator.options.js';
import { moduleOptions, OperatorFakes } from './fake-engine.js';

/** The module with fakes for what lies outside of it. */
export function operatorModule(
  fakes: OperatorFakes,
  options: Partial<OperatorModuleOptions> & { readonly global?: boolean } = {},
): DynamicModule {
  const definition = OperatorModule.forRoot({ ...moduleOptions, ...options });
  return { ...definition, providers: [...(definition.providers ?? []), ...fakes.providers] };
}

/** Lets everything that is due now run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
