import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { OperatorModule } from 'nestjs-operator';
import { OperatorHealthIndicator } from 'nestjs-operator/terminus';
import { PageService } from './page.service.js';
import { SiteHandlers } from './site.handlers.js';

@Controller()
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly operator: OperatorHealthIndicator,
  ) {}

  @Get('livez')
  @HealthCheck()
  live() {
    return this.checks.check([() => this.operator.liveness()]);
  }

  @Get('readyz')
  @HealthCheck()
  ready() {
    return this.checks.check([() => this.operator.readiness()]);
  }
}

@Module({
  imports: [OperatorModule.forRoot({ name: 'sites.example.com' }), TerminusModule],
  controllers: [HealthController],
  providers: [SiteHandlers, PageService, OperatorHealthIndicator],
})
export class CheckedModule {}
