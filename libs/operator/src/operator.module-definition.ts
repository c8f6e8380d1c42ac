import { ConfigurableModuleBuilder } from '@nestjs/common';
import { OPERATOR_RAW_OPTIONS } from './operator.constants.js';
import type { OperatorModuleOptions } from './operator.options.js';

export const { ConfigurableModuleClass, ASYNC_OPTIONS_TYPE, OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<OperatorModuleOptions>({
    moduleName: 'Operator',
    optionsInjectionToken: OPERATOR_RAW_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createOperatorOptions')
    .setExtras(
      {
        /**
         * Make OperatorRef and KubeClient injectable everywhere without an import.
         * @defaultValue false
         */
        global: false,
      },
      (definition, { global }) => ({ ...definition, global }),
    )
    .build();
