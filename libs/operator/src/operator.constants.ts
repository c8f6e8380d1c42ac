/**
 * Metadata keys are fixed symbols: two loaded copies of this package understand each other, and users can read them.
 */
export const RESOURCE_KEY: unique symbol = Symbol.for('nestjs-operator.resource');
export const HANDLERS_KEY: unique symbol = Symbol.for('nestjs-operator.handlers');
export const CLASS_RESOURCE_KEY: unique symbol = Symbol.for('nestjs-operator.class-resource');
export const CLASS_STORE_KEY: unique symbol = Symbol.for('nestjs-operator.class-store');

/** What `context.getType()` returns in guards, interceptors and pipes of a handler. */
export const OPERATOR_CONTEXT_TYPE = 'operator';

/** The options as given. */
export const OPERATOR_RAW_OPTIONS: unique symbol = Symbol.for('nestjs-operator.raw-options');
/** The options, complete and checked. */
export const OPERATOR_OPTIONS: unique symbol = Symbol.for('nestjs-operator.options');

/** The {@link Clock} of the operator. Tests override it with a virtual one. */
export const OPERATOR_CLOCK: unique symbol = Symbol.for('nestjs-operator.clock');
/** The {@link Random} of the operator. */
export const OPERATOR_RANDOM: unique symbol = Symbol.for('nestjs-operator.random');
/** The {@link ExitPort} of the operator: the only way it ends the process. */
export const OPERATOR_EXIT: unique symbol = Symbol.for('nestjs-operator.exit');
/** The {@link Logger} that all records of the operator go through. */
export const OPERATOR_LOGGER: unique symbol = Symbol.for('nestjs-operator.logger');

/** The {@link Transport} that sends requests. Closed with the operator. */
export const OPERATOR_TRANSPORT: unique symbol = Symbol.for('nestjs-operator.transport');
/** The {@link ProcessEvents} of the operator: signals, and errors that nobody caught. */
export const OPERATOR_PROCESS_EVENTS: unique symbol = Symbol.for('nestjs-operator.process-events');

/** Makes the engine. Private. */
export const ENGINE_FACTORY: unique symbol = Symbol.for('nestjs-operator.engine-factory');
/** The client that engine and KubeClient share. Private. */
export const API_CLIENT: unique symbol = Symbol.for('nestjs-operator.api-client');
