export { createClusterTestingModule, createOperatorTestingModule } from './operator-testing-module.js';
export type {
  ClusterTestingModule,
  ClusterTestingOptions,
  OperatorTestingModule,
  OperatorTestingOptions,
  RealTimeTestingModule,
  RealTimeTestingOptions,
} from './operator-testing-module.js';
export { TestStage } from './test-stage.js';
export type { TestStageOptions } from './test-stage.js';
export type { CrdSource } from './permissive-crd.js';
export { VirtualClock } from './virtual-clock.js';
export { EventLoopRest } from './event-loop-rest.js';
export type { BusyProbe } from './event-loop-rest.js';
export { eventually } from './eventually.js';
export type { EventuallyOptions } from './eventually.js';
export { EventuallyTimeoutError } from './eventually-timeout.error.js';
export { buildObject, ownerReferenceTo } from './build-object.js';
export type { ObjectFields } from './build-object.js';
export { handlerCall } from './handler-call.js';
export type { HandlerCall, HandlerCallOptions } from './handler-call.js';
export { operatorMatchers } from './matchers/operator-matchers.js';
export type {
  ConditionExpectation,
  EventExpectation,
  OperatorMatchers,
  OwnerLike,
} from './matchers/operator-matchers.js';
export { FakeExit } from './fake-exit.js';
export { FaultProxy, startFaultProxy } from './fault-proxy.js';
export type { FaultProxyTarget } from './fault-proxy.js';
export type { CapturedEvent } from './captured-events.js';
export { KitTimeoutError } from './kit-timeout.error.js';
export { LogRecorder } from './log-recorder.js';
export { crashAfterEveryWrite } from './crash/crash-after-every-write.js';
export type { CrashReport } from './crash/crash-after-every-write.js';
export type { CrashScenario, CrashWorld } from './crash/crash-scenario.js';
