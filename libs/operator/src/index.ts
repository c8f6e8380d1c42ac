export { OperatorModule } from './operator.module.js';
export type { OperatorFeatureOptions } from './operator.module.js';
export type {
  ClientDefaults,
  HealthOptions,
  KopfOptions,
  LeaderElectionOptions,
  OperatorModuleOptions,
  OperatorOptionsFactory,
  PersistenceOptions,
  QueueOptions,
  RetryDefaults,
  ShutdownOptions,
  WatchingOptions,
} from './operator.options.js';
export type { Duration } from './duration.js';

export { runOperator } from './lifecycle/run-operator.js';
export type { RunOperatorOptions } from './lifecycle/run-operator.js';
export { releaseOperator } from './lifecycle/release-operator.js';
export type { ReleaseOperatorOptions } from './lifecycle/release-operator.js';
export type { ReleasedResource } from './engine/release/release-objects.js';
export { OperatorEvents } from './events/operator-events.js';
export type {
  HandlerFailedEvent,
  HandlerSucceededEvent,
  LeaderGainedEvent,
  LeaderLostEvent,
  ObjectThrottledEvent,
  OperatorEvent,
  OperatorFailureEvent,
  OperatorStartedEvent,
  OperatorStoppingEvent,
  OperatorSyncedEvent,
  WatchDegradedEvent,
  WatchRecoveredEvent,
} from './events/operator-event.js';
export type { ErrorFact, HandlerFact, HandlerOutcome, WatchCauseFact } from './engine/engine-observer.js';
export { OperatorRef } from './lifecycle/operator.ref.js';
export type { OperatorStatus, WatchStatus } from './engine/engine-types.js';
export type {
  HandlerDescription,
  OperatorDescription,
  ResourceDescription,
} from './engine/description/operator-description.js';
export type { LeadershipStatus } from './engine/leaderelection/leadership-status.js';
export type { ElectionState } from './engine/leaderelection/election-state.js';
export { livenessReasons, readinessReasons } from './engine/health/operator-health.js';
export type {
  HealthReason,
  HealthVerdict,
  LivenessReason,
  OperatorHealth,
  ReadinessReason,
  WatchReport,
} from './engine/health/operator-health.js';
export type { EventLoopHealth } from './engine/health/event-loop-monitor.js';
export type { ProbeResult } from './engine/health/probe-runner.js';
export type { WatchState } from './engine/watching/watch-health.js';
export type { OperatorState, RootTaskStatus } from './engine/supervision/supervised.js';

export { CustomResource } from './decorators/custom-resource.decorator.js';
export type { CustomResourceOptions, KubeObjectClass } from './decorators/custom-resource.decorator.js';
export { KubeObject } from './decorators/kube-object.js';
export type { Stored } from './decorators/stored.js';
export { ResourceHandlers } from './decorators/resource-handlers.decorator.js';
export type { ResourceHandlersOptions } from './decorators/resource-handlers.decorator.js';
export type { ResourceReference } from './decorators/resource-reference.js';
export type { FieldReference } from './decorators/field-path.js';

export { OnCreate } from './decorators/on-create.decorator.js';
export { OnUpdate } from './decorators/on-update.decorator.js';
export { OnDelete } from './decorators/on-delete.decorator.js';
export { OnResume } from './decorators/on-resume.decorator.js';
export { OnField } from './decorators/on-field.decorator.js';
export { OnWatchEvent } from './decorators/on-watch-event.decorator.js';
export { OnReconcile } from './decorators/on-reconcile.decorator.js';
export { Daemon } from './decorators/daemon.decorator.js';
export { Timer } from './decorators/timer.decorator.js';
export { ObjectIndex } from './decorators/object-index.decorator.js';
export { defineIndex } from './indexes/define-index.js';
export { InjectIndex } from './indexes/inject-index.decorator.js';
export type { Indexes, IndexToken } from './engine/indexing/index-registry.js';
export type { IndexEntries, IndexKey, IndexView } from './engine/indexing/object-index.js';
export { OnStartup } from './decorators/on-startup.decorator.js';
export { OnProbe } from './decorators/on-probe.decorator.js';
export { OnCleanup } from './decorators/on-cleanup.decorator.js';
export type {
  ActivityOptions,
  BackoffOption,
  BackoffOptions,
  DaemonOptions,
  HandlerOptions,
  ObjectIndexOptions,
  OnCreateOptions,
  OnDeleteOptions,
  OnFieldOptions,
  OnProbeOptions,
  OnReconcileOptions,
  OnResumeOptions,
  OnUpdateOptions,
  OnWatchEventOptions,
  OutcomeOptions,
  OwnedResource,
  ReconcileResult,
  RetryOptions,
  TimerOptions,
  WatchedResource,
} from './decorators/handler-options.js';

export {
  Annotations,
  Diff,
  KubeContext,
  KubeObjectParam,
  Labels,
  Meta,
  Name,
  Namespace,
  New,
  Old,
  Spec,
  Status,
  Uid,
} from './decorators/parameter.decorators.js';
export type {
  KeyParameterDecorator,
  PathParameterDecorator,
  PlainParameterDecorator,
} from './decorators/parameter.decorators.js';

export type { RecordOwner, RecordStore, RecordStoreName } from './engine/persistence/record-store.js';
export { HandlerContext } from './engine/handling/handler-context.js';
export type {
  EventInput,
  FilterContext,
  HandlerCause,
  HandlerLogger,
  ObjectPatch,
} from './engine/handling/handler-context.js';
export type { SubHandlerOptions, SubHandlers } from './engine/handling/sub-handlers.js';
export type { Stopped, StopReason } from './engine/handling/stopped.js';
export type { DiffItem } from './engine/json/diff.js';
export { allOf, anyOf, noneOf, not } from './filters.js';
export { defineMemo } from './engine/handling/object-memo.js';
export type { MemoKey, ObjectMemo } from './engine/handling/object-memo.js';
export { adopt } from './helpers/adopt.js';
export type { AdoptOptions, ChildManifest, Owner } from './helpers/adopt.js';
export { conditionOf, withCondition } from './helpers/conditions.js';
export type { Condition, ConditionInput, ConditionTarget } from './helpers/conditions.js';
export { ABSENT, PRESENT } from './engine/handling/handler-definition.js';
export type { ActivityContext, KeyMatch, TriggerKind } from './engine/handling/handler-definition.js';
export type { ObjectKey, ObjectMeta, OwnerReference, StoredObject } from './engine/kube-object.js';
export type { Resource, ResourceSelector } from './engine/resource.js';
export { currentOperatorContext } from './invocation/current-context.js';
export type { CurrentOperatorContext } from './invocation/current-context.js';
export { handlerContextOf, isOperatorContext } from './invocation/operator-context.js';

export { operatorManifests } from './manifests/operator-manifests.js';
export type { OperatorManifest, OperatorManifestsOptions } from './manifests/operator-manifests.js';

export { KubeClient } from './engine/client/kube/kube-client.js';
export type { Manifest, ObjectInput } from './engine/client/kube/kube-client.js';
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectPage,
  ObjectRef,
  PageOptions,
  PatchOptions,
  ReplaceOptions,
  RequestOptions,
  Scale,
  SelectOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './engine/client/kube/kube-options.js';
export type { ResourceRef } from './engine/client/kube/resource-ref.js';
export type { KubeConfigSource } from './engine/client/credentials/load-cluster-access.js';

export { AccessMissingError } from './errors/access-missing.error.js';
export type { MissingAccess, MissingRules } from './errors/access-missing.error.js';
export type { AccessDescription, AccessRule, DeclaredAccess } from './engine/access/access-rule.js';
export { ApiError } from './errors/api.error.js';
export { ClientClosedError } from './errors/client-closed.error.js';
export { CredentialsError } from './errors/credentials.error.js';
export { DuplicateOperatorModuleError } from './errors/duplicate-operator-module.error.js';
export { FatalError } from './errors/fatal.error.js';
export { HealthServerError } from './errors/health-server.error.js';
export { InvalidDecoratorTargetError } from './errors/invalid-decorator-target.error.js';
export { InvalidDurationError } from './errors/invalid-duration.error.js';
export { InvalidHandlersError } from './errors/invalid-handlers.error.js';
export { InvalidOptionsError } from './errors/invalid-options.error.js';
export { InvalidResourceError } from './errors/invalid-resource.error.js';
export { KubeConfigError } from './errors/kube-config.error.js';
export { LeadershipLostError } from './errors/leadership-lost.error.js';
export { MetricNameTakenError } from './errors/metric-name-taken.error.js';
export { MissingOperatorModuleError } from './errors/missing-operator-module.error.js';
export { NetworkError } from './errors/network.error.js';
export { OperatorError } from './errors/operator.error.js';
export { OperatorFailedError } from './errors/operator-failed.error.js';
export { OperatorStoppingError } from './errors/operator-stopping.error.js';
export { ParameterUnavailableError } from './errors/parameter-unavailable.error.js';
export { PermanentError } from './errors/permanent.error.js';
export { RequestTimeoutError } from './errors/request-timeout.error.js';
export { TemporaryError } from './errors/temporary.error.js';

/** Tokens of what the operator depends on outside itself; tests override them. */
export {
  OPERATOR_CLOCK,
  OPERATOR_EXIT,
  OPERATOR_LOGGER,
  OPERATOR_PROCESS_EVENTS,
  OPERATOR_RANDOM,
  OPERATOR_TRANSPORT,
} from './operator.constants.js';
export type {
  Clock,
  ExitPort,
  LogFields,
  Logger as OperatorLogger,
  LogLevel as OperatorLogLevel,
  LogRecord,
  ProcessEvents,
  Random,
  StopSignal,
  Timer as ClockTimer,
} from './engine/ports/index.js';
export type {
  Transport as ApiTransport,
  TransportRequest,
  TransportResponse,
} from './engine/client/transport/transport.js';
