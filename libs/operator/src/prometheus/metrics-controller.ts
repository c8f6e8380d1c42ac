import { Controller, Get, Inject, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { OperatorMetrics } from './operator-metrics.js';

/** What replies of Express and Fastify have in common. */
interface Reply {
  header(name: string, value: string): unknown;
}

/** A controller that serves metrics at `path`: each module needs a class of its own. */
export function metricsController(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  class OperatorMetricsController {
    constructor(@Inject(OperatorMetrics) private readonly metrics: OperatorMetrics) {}

    @Get()
    read(@Res({ passthrough: true }) reply: Reply): Promise<string> {
      reply.header('Content-Type', this.metrics.contentType);
      return this.metrics.metrics();
    }
  }
  return OperatorMetricsController;
}
