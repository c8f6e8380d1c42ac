import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import type { HealthReason, HealthVerdict } from '../engine/health/operator-health.js';
import { OperatorRef } from '../lifecycle/operator.ref.js';

/**
 * The operator's health for the checks of `@nestjs/terminus`. List it in the providers of a module that imports
 * `TerminusModule` and gets at {@link OperatorRef}.
 */
@Injectable()
export class OperatorHealthIndicator {
  constructor(
    @Inject(OperatorRef) private readonly operator: OperatorRef,
    @Inject(HealthIndicatorService) private readonly indicators: HealthIndicatorService,
  ) {}

  /**
   * Down when the process is not worth keeping: what a liveness probe is to ask. Names the reasons, and shows handlers, event
   * loop and probes. Never rejects.
   */
  async liveness<const Key extends string = 'operator'>(
    key: Key = 'operator' as Key,
  ): Promise<HealthIndicatorResult<Key>> {
    const { state, liveness, handlers, eventLoop, probes } = await this.operator.getHealth();
    return this.result(key, liveness, { state, handlers, eventLoop, probes });
  }

  /**
   * Down when the operator does not do its work: what a readiness probe is to ask. Names the reasons, and shows each watch and
   * the probes. Never rejects.
   */
  async readiness<const Key extends string = 'operator'>(
    key: Key = 'operator' as Key,
  ): Promise<HealthIndicatorResult<Key>> {
    const { state, readiness, watches, throttled, probes } = await this.operator.getHealth();
    return this.result(key, readiness, { state, watches, throttled, probes });
  }

  private result<const Key extends string>(
    key: Key,
    { ok, reasons }: HealthVerdict,
    details: Readonly<Record<string, unknown>>,
  ): HealthIndicatorResult<Key> {
    const indicator = this.indicators.check(key);
    return ok ? indicator.up(details) : indicator.down({ reasons: reasons.map(sentence), ...details });
  }
}

function sentence({ reason, subject, message }: HealthReason): string {
  return `${reason}${subject === undefined ? '' : ` (${subject})`}: ${message}`;
}
