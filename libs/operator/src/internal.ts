/**
 * For the packages of this project only, such as the test kit. Anything here may change with any release; applications
 * use `nestjs-operator`.
 */
export { OperatorModule } from './operator.module.js';
export {
  API_CLIENT,
  ENGINE_FACTORY,
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_OPTIONS,
  OPERATOR_PROCESS_EVENTS,
  OPERATOR_RAW_OPTIONS,
  RESOURCE_KEY,
} from './operator.constants.js';
export type { OperatorModuleOptions } from './operator.options.js';
export { resolveOptions } from './options/resolve-options.js';
export { createLogger } from './engine/ports/index.js';
export type { Clock, ExitPort, Logger, LogRecord, ProcessEvents, StopSignal, Timer } from './engine/ports/index.js';
export { HealthRoutes } from './engine/health/health-routes.js';
export type { RouteAnswer, RouteHandler } from './engine/health/health-routes.js';
export { ObserverHub } from './engine/observing/observer-hub.js';
export type { EngineObserver } from './engine/engine-observer.js';
export { createEngine } from './engine/operator-engine.js';
export type { HandlerInvoker } from './engine/handling/handler-definition.js';
export { createApiClient } from './engine/client/create-api-client.js';
export type { ClosableApiClient } from './engine/client/create-api-client.js';
export { parseDuration } from './duration.js';
export { UndiciTransport } from './engine/client/transport/undici-transport.js';
export type { EngineFactory } from './lifecycle/engine-factory.js';
export { requiredAccess } from './engine/access/required-access.js';
export type { AccessDemand, AccessedResource } from './engine/access/required-access.js';
export type { AccessRule, DeclaredAccess } from './engine/access/access-rule.js';
export { policyRulesYaml, roleRules } from './engine/access/policy-rule.js';
export type { PolicyRule, RoleRules } from './engine/access/policy-rule.js';
export { ChangeView } from './engine/handling/change-view.js';
export { ObjectHandlerContext } from './engine/handling/object-handler-context.js';
export { ObjectMemo } from './engine/handling/object-memo.js';
export { applyPatch } from './engine/handling/object-patch-buffer.js';
export { IndexRegistry } from './engine/indexing/index-registry.js';
export { essenceOf } from './engine/processing/essence.js';
export type { HandlerLogger } from './engine/handling/handler-context.js';
export type { Resource } from './engine/resource.js';
