export { ApiServer } from './api-server.js';
export { startApiServer } from './start-api-server.js';
export type { ApiServerOptions } from './api-server-options.js';
export { Activity } from './activity.js';
export { systemClock, type Clock, type Timer } from './clock.js';
export type { DirectPatchOptions, ObjectRef, ResourceRef } from './direct-client.js';
export { ClosedError } from './errors/closed.error.js';
export { CorruptStateFileError } from './errors/corrupt-state-file.error.js';
export { InvalidFaultError } from './errors/invalid-fault.error.js';
export { InvalidOptionsError } from './errors/invalid-options.error.js';
export { StateFileInUseError } from './errors/state-file-in-use.error.js';
export { StateFileWriteError } from './errors/state-file-write.error.js';
export { WaitTimeoutError } from './errors/wait-timeout.error.js';
export type { EventMatch } from './faults/event-match.js';
export type {
  AnswerFault,
  Fault,
  FaultAction,
  FaultHandle,
  FaultMatch,
  FaultRequest,
  StreamFault,
} from './faults/fault.js';
export { FaultSet } from './faults/fault-set.js';
export type { ApiUser } from './http/authentication.js';
export type { AuthorizationMode } from './http/authorization.js';
export type { JsonObject, KubeObject, ObjectMeta, OwnerReference } from './json.js';
export type { KubeConfigData } from './kube-config.js';
export type { Verb } from './pipeline/api-request.js';
export type { ServerLimits } from './pipeline/server-context.js';
export type { RandomSource } from './random.js';
export { RequestLog, type RequestListener, type RequestMoment, type RequestRecord } from './request-log.js';
export { ApiError, type Status, type StatusCause, type StatusDetails } from './status.js';
export { CompactedError, Store, type StoreEvent, type StoreSnapshot } from './store/store.js';
export type { WebhookCall, WebhookFunction, WebhookOptions } from './webhooks/webhook-targets.js';
export { Watches, type WatchCut, type WatchFilter, type WatchInfo } from './watching/watches.js';
export type { WaitOptions } from './wait-for.js';
