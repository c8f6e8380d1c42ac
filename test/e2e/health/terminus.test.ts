import 'reflect-metadata';
import { Controller, Get, Inject, type INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { HealthCheck, HealthCheckService, TerminusModule, type HealthCheckResult } from '@nestjs/terminus';
import { createOperatorTestingModule, type OperatorTestingModule } from '@nestjs-operator/testing';
import { OnCreate, OnProbe, ResourceHandlers } from 'nestjs-operator';
import { OperatorHealthIndicator } from 'nestjs-operator/terminus';
import { afterEach, describe, expect, it } from 'vitest';
import { definitions, Widget } from '../../support/kinds.js';

@Controller()
class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly checks: HealthCheckService,
    @Inject(OperatorHealthIndicator) private readonly operator: OperatorHealthIndicator,
  ) {}

  @Get('livez')
  @HealthCheck()
  live(): Promise<HealthCheckResult> {
    return this.checks.check([() => this.operator.liveness()]);
  }

  @Get('readyz')
  @HealthCheck()
  ready(): Promise<HealthCheckResult> {
    return this.checks.check([() => this.operator.readiness('widgets')]);
  }
}

let lock = true;

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  ensure(): void {}

  @OnProbe({ fails: 'liveness', maxAge: '1s' })
  lock(): object {
    if (!lock) throw new Error('lock is lost');
    return { held: true };
  }
}

let testing: OperatorTestingModule | undefined;
let app: INestApplication | undefined;

afterEach(async () => {
  lock = true;
  if (app !== undefined) await testing?.clock.during(app.close());
  await testing?.close();
});

async function start(adapter: 'express' | 'fastify') {
  testing = await createOperatorTestingModule({
    crds: definitions,
    imports: [TerminusModule.forRoot({ logger: false })],
    providers: [WidgetHandlers, OperatorHealthIndicator],
    controllers: [HealthController],
    operator: { watching: { failAfter: '1h' } },
    init: false,
  });
  const { module } = testing;
  app = adapter === 'express' ? module.createNestApplication() : module.createNestApplication(new FastifyAdapter());
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const ask = async (path: string) => {
    const response = await fetch(`${url}/${path}`);
    return { status: response.status, body: (await response.json()) as HealthCheckResult };
  };
  return { ...testing, ask };
}

describe.each(['express', 'fastify'] as const)('health by terminus over %s', (adapter) => {
  it('is up for an operator in sync, with what it watches and what probes say', async () => {
    const { ask, clock, operator } = await start(adapter);
    await clock.during(operator.whenSynced());
    const live = await ask('livez');
    expect(live).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(live.body.details['operator']).toMatchObject({
      status: 'up',
      state: 'running',
      handlers: { stuck: 0, limit: 50 },
      probes: [{ id: 'lock', ok: true, value: { held: true } }],
    });
    const ready = await ask('readyz');
    expect(ready).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(ready.body.details['widgets']).toMatchObject({
      status: 'up',
      watches: [{ resource: 'widgets.v1.demo.example', state: 'watching', synced: true }],
    });
  });

  it('is not ready while a watch is refused for too long, and names watch and cause', async () => {
    const { ask, clock, operator, api } = await start(adapter);
    await clock.during(operator.whenSynced());
    api.faults.add({ match: { resource: 'widgets' }, do: { action: 'answer', status: 403 } });
    api.watches.cut({ how: 'end' });
    await clock.advance(15_000);
    expect((await ask('livez')).status).toBe(200);
    const { status, body } = await ask('readyz');
    expect([status, body.status]).toEqual([503, 'error']);
    expect(body.error?.['widgets']).toMatchObject({
      status: 'down',
      watches: [{ state: 'degraded' }],
      reasons: [expect.stringMatching(/^degraded \(widgets\.v1\.demo\.example\): .*403/)],
    });
  });

  it('is not alive when a probe says so', async () => {
    const { ask, clock, operator } = await start(adapter);
    await clock.during(operator.whenSynced());
    lock = false;
    const { status, body } = await ask('livez');
    expect(status).toBe(503);
    expect(body.error?.['operator']).toMatchObject({ status: 'down', reasons: ['probe-failed (lock): lock is lost'] });
    expect((await ask('readyz')).status).toBe(200);
  });
});
