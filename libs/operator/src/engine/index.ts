/** The engine without Nest. Its shape may change with any release; applications use `nestjs-operator`. */
export { createEngine } from './operator-engine.js';
export { defaultConfig } from './defaults.js';
export type { Engine, EngineOptions, OperatorStatus, WatchStatus } from './engine-types.js';
export type { OperatorConfig } from './operator-config.js';
export * from './ports/index.js';
export { createApiClient } from './client/create-api-client.js';
export type { ClosableApiClient } from './client/create-api-client.js';
export type { HandlerDefinition, ActivityDefinition, HandlerInvoker } from './handling/handler-definition.js';
