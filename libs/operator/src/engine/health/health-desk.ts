import type { ActivityDefinition, HandlerInvoker } from '../handling/handler-definition.js';
import type { HandlerRunner } from '../handling/handler-runner.js';
import type { OperatorConfig } from '../operator-config.js';
import type { OperatorStatus } from '../operator-status.js';
import type { Clock, Logger } from '../ports/index.js';
import type { TaskSupervisor } from '../supervision/supervised.js';
import { EventLoopMonitor } from './event-loop-monitor.js';
import { HealthRoutes } from './health-routes.js';
import { HealthServer } from './health-server.js';
import { judgeHealth, type OperatorHealth } from './operator-health.js';
import { ProbeRunner } from './probe-runner.js';

export interface HealthDeskOptions {
  readonly config: Pick<OperatorConfig, 'health'>;
  readonly activities: readonly ActivityDefinition[];
  readonly invoker: HandlerInvoker;
  readonly runner: HandlerRunner;
  readonly routes: HealthRoutes | undefined;
  readonly status: () => OperatorStatus;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where health is asked for: puts together what it is judged by, and serves it if told so. */
export class HealthDesk {
  readonly #options: HealthDeskOptions;
  readonly #probes: ProbeRunner;
  readonly #eventLoop: EventLoopMonitor;
  readonly #server: HealthServer | undefined;

  constructor(options: HealthDeskOptions) {
    this.#options = options;
    const { config, routes, clock, logger } = options;
    this.#probes = new ProbeRunner({ ...options, logger: logger.child('Operator') });
    this.#eventLoop = new EventLoopMonitor(clock, config.health.maxLag);
    const { server } = config.health;
    this.#server =
      server &&
      new HealthServer({
        config: server,
        routes: routes ?? new HealthRoutes(),
        getHealth: () => this.getHealth(),
        logger: logger.child('HealthServer'),
      });
  }

  get port(): number | undefined {
    return this.#server?.port;
  }

  /** Never rejects. */
  async getHealth(): Promise<OperatorHealth> {
    const { config, clock, status } = this.#options;
    const { state } = status();
    // What the application's probes look at may be closed already.
    const call = state !== 'stopping' && state !== 'stopped' && state !== 'failed';
    const probes = await this.#probes.results({ call });
    return judgeHealth({
      status: status(),
      eventLoop: this.#eventLoop.read(),
      probes,
      limits: config.health,
      now: clock.now(),
    });
  }

  /**
   * Before anything else, and until the very end: who asks is to be told how the start and the stop go.
   *
   * @throws HealthServerError
   */
  async serve(supervisor: TaskSupervisor, intake: AbortSignal): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    await server.listen();
    if (intake.aborted) await server.close();
    else supervisor.run('health server', (signal) => server.run(signal), { phase: 'last' });
  }

  /** Nobody measures any more. */
  close(): void {
    this.#eventLoop.close();
  }
}
