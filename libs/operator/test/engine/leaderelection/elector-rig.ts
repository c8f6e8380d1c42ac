import type { ApiServer, KubeObject } from '@nestjs-operator/apiserver';
import { startApiServer } from '@nestjs-operator/apiserver';
import { EventLoopRest, VirtualClock } from '@nestjs-operator/testing';
import { createApiClient, type ClosableApiClient } from '../../../src/engine/client/create-api-client.js';
import { UndiciTransport } from '../../../src/engine/client/transport/undici-transport.js';
import { defaultConfig } from '../../../src/engine/defaults.js';
import type { ElectionConfig } from '../../../src/engine/leaderelection/election-config.js';
import type { ElectionState } from '../../../src/engine/leaderelection/election-state.js';
import { Elector } from '../../../src/engine/leaderelection/elector.js';
import { Lead } from '../../../src/engine/leaderelection/lead.js';
import type { LeaseSpec } from '../../../src/engine/leaderelection/lease-record.js';
import { createLogger, type Clock, type LogRecord, type Timer } from '../../../src/engine/ports/index.js';
import type { LeadershipLostError } from '../../../src/errors/leadership-lost.error.js';

export const leaseRef = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  namespace: 'default',
  name: 'op.example',
};

/** The clock of one process: started at another time, set to another hour, and perhaps stopped. */
export class ProcessClock implements Clock {
  wallOffset = 0;
  readonly #clock: VirtualClock;
  readonly #monotonicOffset: number;
  readonly #rate: number;
  #late: Array<() => void> | undefined;

  /** @param rate - how fast it goes */
  constructor(
    clock: VirtualClock,
    options: { readonly wall?: number; readonly monotonic?: number; readonly rate?: number },
  ) {
    this.#clock = clock;
    this.wallOffset = options.wall ?? 0;
    this.#monotonicOffset = options.monotonic ?? 0;
    this.#rate = options.rate ?? 1;
  }

  now(): number {
    return this.#clock.now() + this.wallOffset;
  }

  monotonic(): number {
    return this.#clock.monotonic() * this.#rate + this.#monotonicOffset;
  }

  setTimer(delay: number, fire: () => void): Timer {
    let cancelled = false;
    const timer = this.#clock.setTimer(delay / this.#rate, () => {
      if (cancelled) return;
      if (this.#late === undefined) fire();
      else this.#late.push(() => (cancelled ? undefined : fire()));
    });
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  /** Nothing of the process runs, as under a blocked event loop. */
  block(): void {
    this.#late ??= [];
  }

  /** What fell due meanwhile fires now, in its order. */
  unblock(): void {
    const late = this.#late ?? [];
    this.#late = undefined;
    for (const fire of late) fire();
  }
}

/** One process that stands for the lead. */
export interface Candidate {
  readonly elector: Elector;
  readonly clock: ProcessClock;
  readonly client: ClosableApiClient;
  readonly records: readonly LogRecord[];
  readonly states: readonly ElectionState[];
  readonly lead: Lead | undefined;
  readonly lost: readonly LeadershipLostError[];
  /** What `run` ended with. */
  readonly end: unknown;
  stop(): Promise<void>;
  /** As the end of its process: no request any more. */
  kill(): Promise<void>;
}

export interface CandidateOptions extends Partial<ElectionConfig> {
  readonly wall?: number;
  readonly monotonic?: number;
  readonly rate?: number;
  readonly random?: () => number;
  readonly stepDown?: () => Promise<void>;
}

/** An embedded server on a virtual clock, and processes that stand for one lease of it. */
export class ElectorRig {
  readonly #candidates: Candidate[] = [];
  /** The server delays answers: requests in flight are no reason to let time stand still. */
  delaying = false;

  private constructor(
    readonly server: ApiServer,
    readonly clock: VirtualClock,
    readonly rest: EventLoopRest,
  ) {}

  static async start(): Promise<ElectorRig> {
    const rest = new EventLoopRest();
    const clock = new VirtualClock(rest);
    const server = await startApiServer({ clock });
    rest.watch(() => (server.activity.count > 0 ? 'requests at the server' : undefined));
    return new ElectorRig(server, clock, rest);
  }

  async close(): Promise<void> {
    for (const candidate of this.#candidates) await candidate.kill();
    await this.server.close();
  }

  candidate(identity: string, options: CandidateOptions = {}): Candidate {
    const clock = new ProcessClock(this.clock, options);
    const records: LogRecord[] = [];
    const states: ElectionState[] = [];
    const lost: LeadershipLostError[] = [];
    const logger = createLogger((record) => records.push(record));
    const random = { next: options.random ?? (() => 0.5) };
    const transport = new UndiciTransport();
    const { inFlight } = transport;
    // One that waits for a delayed answer waits for time.
    this.rest.watch(() => (inFlight.lease > 0 && !this.delaying ? 'requests of a candidate' : undefined));
    const client = createApiClient({
      kubeConfig: this.server.kubeConfig(),
      config: defaultConfig.client,
      fieldManager: 'op.example',
      clock,
      random,
      logger,
      transport,
    });
    let lead: Lead | undefined;
    let standing: Lead | undefined;
    let end: unknown;
    const config: ElectionConfig = {
      namespace: 'default',
      name: 'op.example',
      identity,
      leaseDuration: 15_000,
      renewDeadline: 10_000,
      retryPeriod: 2_000,
      onLost: 'exit',
      warmStandby: true,
      ...options,
    };
    const elector = new Elector({
      client,
      config,
      clock,
      random,
      logger,
      withdrawn: new AbortController().signal,
      onStanding: () => (standing = new Lead(config, clock)),
      onGained: () => {
        lead = standing;
      },
      onLost: (error) => {
        lead = undefined;
        lost.push(error);
      },
      stepDown: options.stepDown ?? (() => Promise.resolve()),
      onState: (state) => states.push(state),
    });
    const stop = new AbortController();
    const running = elector.run(stop.signal).then(
      () => undefined,
      (error: unknown) => {
        end = error;
      },
    );
    const kill = async (): Promise<void> => {
      stop.abort(new Error('The process ends.'));
      await running;
      await client.close();
    };
    const candidate: Candidate = {
      elector,
      clock,
      client,
      records,
      states,
      lost,
      get lead() {
        return lead;
      },
      get end() {
        return end;
      },
      stop: async () => {
        stop.abort(new Error('The operator stops.'));
        await running;
        await elector.leave(true, new AbortController().signal);
      },
      kill,
    };
    this.#candidates.push(candidate);
    return candidate;
  }

  async lease(): Promise<(KubeObject & { spec: LeaseSpec }) | undefined> {
    return (await this.server.get(leaseRef)) as (KubeObject & { spec: LeaseSpec }) | undefined;
  }

  /** Writes the lease as somebody else does. */
  async edit(spec: LeaseSpec): Promise<void> {
    await this.server.apply({ ...leaseRef, metadata: { namespace: 'default', name: 'op.example' }, spec } as never);
  }
}
