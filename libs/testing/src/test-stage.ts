import {
  startApiServer,
  type ApiServer,
  type ApiUser,
  type AuthorizationMode,
  type Clock,
  type JsonObject,
} from '@nestjs-operator/apiserver';
import { EventLoopRest } from './event-loop-rest.js';
import { crdFrom, type CrdSource } from './permissive-crd.js';
import { VirtualClock } from './virtual-clock.js';

/** What the embedded API server begins with. */
export interface TestStageOptions {
  /** Installed before anything else. */
  readonly crds?: readonly CrdSource[];
  /** Created then. */
  readonly objects?: readonly (JsonObject | string)[];
  /** Accounts with tokens; kubeconfigs are for the first one. @defaultValue none: every request is let in */
  readonly users?: readonly ApiUser[];
  /** `rbac`: users may do what the roles among the objects grant them. @defaultValue 'authenticated': each may do everything */
  readonly authorization?: AuthorizationMode;
}

/** An embedded API server on a virtual clock, for one operator or several, at once or one after the other. */
export class TestStage {
  private constructor(
    readonly api: ApiServer,
    readonly clock: VirtualClock,
    /** Tells when everything has come to rest that does not wait for time. */
    readonly rest: EventLoopRest,
  ) {}

  static async start(options: TestStageOptions = {}): Promise<TestStage> {
    const rest = new EventLoopRest();
    const clock = new VirtualClock(rest);
    const api = await startStageServer(options, clock);
    watchServer(rest, api);
    return new TestStage(api, clock, rest);
  }

  /** Resolves when nothing is left to do now: no request in flight, no change on its way. Time stands still. */
  settled(): Promise<void> {
    return this.clock.settle();
  }

  close(): Promise<void> {
    return this.api.close();
  }
}

/** The API server that a test begins with. */
export function startStageServer(options: TestStageOptions, clock?: Clock): Promise<ApiServer> {
  const crds = (options.crds ?? []).map(crdFrom);
  const { objects = [], users = [], authorization = 'authenticated' } = options;
  return startApiServer({ crds, objects, users, authorization, ...(clock === undefined ? {} : { clock }) });
}

export function watchServer(rest: EventLoopRest, { activity }: ApiServer): void {
  rest.watch(() => (activity.count > 0 ? `${activity.count} requests at the API server` : undefined));
}
