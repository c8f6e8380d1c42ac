import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createOperatorTestingModule, type OperatorTestingModule } from '@nestjs-operator/testing';
import { OnCreate, ResourceHandlers } from 'nestjs-operator';
import { OperatorMetrics, OperatorMetricsModule, type OperatorMetricsOptions } from 'nestjs-operator/prometheus';
import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { definitions, Widget } from '../../support/kinds.js';
import { readSamples, valueOf } from './samples.js';

const resource = 'widgets.v1.demo.example';
const open: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  ensure(): void {}
}

async function start(options?: OperatorMetricsOptions): Promise<OperatorTestingModule> {
  const testing = await createOperatorTestingModule({
    crds: definitions,
    imports: [OperatorMetricsModule.forRoot(options)],
    providers: [WidgetHandlers],
    operator: { health: { port: 0, host: '127.0.0.1' } },
    init: false,
  });
  open.push(() => testing.close());
  return testing;
}

async function scrape(url: string): Promise<{ readonly type: string | null; readonly text: string }> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return { type: response.headers.get('content-type'), text: await response.text() };
}

describe('metrics', () => {
  it.each(['express', 'fastify'] as const)('are served by %s, and by the health server', async (adapter) => {
    const { module, clock, operator } = await start();
    const app: INestApplication =
      adapter === 'express' ? module.createNestApplication() : module.createNestApplication(new FastifyAdapter());
    await app.listen(0, '127.0.0.1');
    open.push(() => clock.during(app.close()));
    await clock.during(operator.whenSynced());
    for (const url of [`${await app.getUrl()}/metrics`, `http://127.0.0.1:${operator.healthPort}/metrics`]) {
      const { type, text } = await scrape(url);
      expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
      const samples = readSamples(text);
      expect(valueOf(samples, 'nestjs_operator_watch_up', { resource })).toBe(1);
      expect(valueOf(samples, 'nestjs_operator_state', { state: 'running' })).toBe(1);
      expect(valueOf(samples, 'nestjs_operator_state', { state: 'starting' })).toBe(0);
      expect(valueOf(samples, 'process_start_time_seconds')).toBeGreaterThan(0);
    }
  });

  it('are had from the injectable where nothing serves them, under another prefix', async () => {
    const { module, clock, operator } = await start({ path: false, prefix: 'site_', defaultMetrics: false });
    await module.init();
    await clock.during(operator.whenSynced());
    expect((await fetch(`http://127.0.0.1:${operator.healthPort}/metrics`)).status).toBe(404);
    const metrics = module.get(OperatorMetrics);
    const samples = readSamples(await metrics.metrics());
    expect(metrics.contentType).toBe(Registry.PROMETHEUS_CONTENT_TYPE);
    expect(valueOf(samples, 'site_watch_up', { resource })).toBe(1);
    expect(samples.filter(({ name }) => /^(nestjs|process|nodejs)_/.test(name))).toEqual([]);
  });

  it('of one application after the other share a registry, which has those of the last one', async () => {
    const registry = new Registry();
    const first = await start({ registry });
    await first.module.init();
    const second = await start({ registry });
    await second.module.init();
    await second.clock.during(second.operator.whenSynced());
    await first.clock.during(first.module.close());
    const up = { resource };
    expect(valueOf(readSamples(await registry.metrics()), 'nestjs_operator_watch_up', up)).toBe(1);
    await second.clock.during(second.module.close());
    expect(await registry.metrics()).toBe('\n');
  });

  it('do not take the place of metrics that somebody else has registered', async () => {
    const registry = new Registry();
    new Counter({ name: 'leader_election_master_status', help: 'Of another elector', registers: [registry] });
    await expect(start({ registry })).rejects.toMatchObject({
      code: 'OPERATOR_METRIC_NAME_TAKEN',
      names: ['leader_election_master_status'],
    });
  });

  it('refuse options that cannot be meant', () => {
    expect(() => OperatorMetricsModule.forRoot({ prefix: '1-', path: 'metrics' })).toThrow(
      expect.objectContaining({ code: 'OPERATOR_INVALID_OPTIONS', gaps: [expect.any(String), expect.any(String)] }),
    );
  });
});
