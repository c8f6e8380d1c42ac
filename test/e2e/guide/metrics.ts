import { Inject, Injectable, Module } from '@nestjs/common';
import { OperatorModule } from 'nestjs-operator';
import { OperatorMetrics, OperatorMetricsModule } from 'nestjs-operator/prometheus';
import { Counter } from 'prom-client';
import { PageService } from './page.service.js';
import { SiteHandlers } from './site.handlers.js';

@Injectable()
export class Visits {
  private readonly visits: Counter;

  constructor(@Inject(OperatorMetrics) metrics: OperatorMetrics) {
    this.visits = new Counter({ name: 'site_visits_total', help: 'Visits of sites', registers: [metrics.registry] });
  }

  count(): void {
    this.visits.inc();
  }
}

@Module({
  imports: [
    OperatorModule.forRoot({ name: 'sites.example.com', health: { port: 8081 } }),
    OperatorMetricsModule.forRoot(),
  ],
  providers: [SiteHandlers, PageService, Visits],
})
export class MeasuredModule {}
