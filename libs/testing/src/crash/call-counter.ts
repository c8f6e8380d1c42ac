import type { EngineFactory, HandlerInvoker } from 'nestjs-operator/internal';

/** A call of a handler. */
export interface CountedCall {
  /** Such as `WidgetHandlers.ensure`. */
  readonly handler: string;
  readonly cause: string;
  /** `namespace/name`, or `name`. */
  readonly key: string;
}

/** An engine that tells of its calls, and calls nothing any more once its operator is dead. */
export function countingEngine(
  create: EngineFactory,
  isDead: () => boolean,
  onCall: (call: CountedCall) => void,
): EngineFactory {
  return (options) => {
    const { invoker } = options;
    const counting: HandlerInvoker = {
      invoke(handler, context) {
        if (isDead()) return Promise.reject(new Error('The operator was killed.'));
        const { name, namespace } = context.meta;
        onCall({
          handler: handler.origin,
          cause: context.cause,
          key: namespace === undefined ? name : `${namespace}/${name}`,
        });
        return invoker.invoke(handler, context);
      },
      // A process that is killed cleans nothing up.
      invokeActivity: (activity, context) => (isDead() ? Promise.resolve() : invoker.invokeActivity(activity, context)),
    };
    return create({ ...options, invoker: counting });
  };
}
