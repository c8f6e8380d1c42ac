import 'reflect-metadata';
import { performance } from 'node:perf_hooks';
import { createOperatorTestingModule, type OperatorTestingModule } from '@nestjs-operator/testing';
import { HandlerContext, OnCreate, PermanentError, ResourceHandlers } from 'nestjs-operator';
import { OperatorMetrics, OperatorMetricsModule } from 'nestjs-operator/prometheus';
import { afterEach, describe, expect, it } from 'vitest';
import { definitions, Widget } from '../../support/kinds.js';
import { readSamples, valueOf, type Sample } from './samples.js';

const resource = 'widgets.v1.demo.example';
const controller = resource;
const queue = { name: resource, controller };
let testing: OperatorTestingModule | undefined;

afterEach(async () => {
  await testing?.close();
  testing = undefined;
});

function widget(name: string, mode: string, namespace = 'default') {
  return { apiVersion: 'demo.example/v1', kind: 'Widget', metadata: { name, namespace }, spec: { mode } };
}

@ResourceHandlers(Widget)
class Modes {
  @OnCreate({ backoff: '1h' })
  ensure(ctx: HandlerContext<Widget>): void {
    const { mode } = ctx.object.spec as { readonly mode?: string };
    if (mode === 'fails') throw new Error('not yet');
    if (mode === 'refuses') throw new PermanentError('never');
  }
}

async function start(objects: readonly ReturnType<typeof widget>[]): Promise<OperatorTestingModule> {
  testing = await createOperatorTestingModule({
    crds: definitions,
    objects,
    imports: [OperatorMetricsModule.forRoot()],
    providers: [Modes],
  });
  await testing.clock.during(testing.operator.whenSynced());
  await testing.clock.advance(2_000);
  return testing;
}

async function scrape({ module }: OperatorTestingModule): Promise<Sample[]> {
  return readSamples(await module.get(OperatorMetrics).metrics());
}

describe('what is counted', () => {
  it('are cycles, handlers and requests by their outcome', async () => {
    const made = await start([
      widget('a', 'works'),
      widget('b', 'works'),
      widget('c', 'fails'),
      widget('d', 'refuses'),
    ]);
    const samples = await scrape(made);
    const calls = (outcome: string) =>
      valueOf(samples, 'nestjs_operator_handler_calls_total', { resource, handler: 'Modes.ensure', outcome });
    expect([calls('succeeded'), calls('temporary'), calls('permanent')]).toEqual([2, 1, 1]);
    expect(valueOf(samples, 'nestjs_operator_handler_duration_seconds_count', { resource })).toBe(4);
    expect(valueOf(samples, 'controller_runtime_reconcile_errors_total', { controller })).toBe(2);
    expect(valueOf(samples, 'controller_runtime_terminal_reconcile_errors_total', { controller })).toBe(1);
    expect(valueOf(samples, 'controller_runtime_reconcile_total', { controller, result: 'error' })).toBe(2);
    const cycles = valueOf(samples, 'controller_runtime_reconcile_time_seconds_count', { controller });
    const success = valueOf(samples, 'controller_runtime_reconcile_total', { controller, result: 'success' });
    expect(success).toBe((cycles ?? 0) - 2);
    expect(valueOf(samples, 'workqueue_work_duration_seconds_count', queue)).toBe(cycles);
    expect(valueOf(samples, 'workqueue_queue_duration_seconds_count', queue)).toBe(cycles);
    expect(valueOf(samples, 'workqueue_adds_total', queue)).toBe(cycles);
    expect(valueOf(samples, 'workqueue_depth', queue)).toBe(0);
    expect(valueOf(samples, 'controller_runtime_active_workers', { controller })).toBe(0);
    expect(valueOf(samples, 'controller_runtime_max_concurrent_reconciles', { controller })).toBe(10);
    expect(valueOf(samples, 'nestjs_operator_store_objects', { resource })).toBe(4);
    const patches = valueOf(samples, 'nestjs_operator_api_requests_total', { verb: 'patch', code: '200' });
    expect(patches).toBeGreaterThanOrEqual(4);
    expect(valueOf(samples, 'rest_client_requests_total', { method: 'PATCH', code: '200' })).toBe(patches);
  });

  it('are objects that are throttled', async () => {
    const made = await start([widget('a', 'works')]);
    made.api.faults.add({ match: { verb: 'patch', resource: 'widgets' }, do: { action: 'answer', status: 500 } });
    await made.api.create(widget('b', 'works'));
    await made.clock.advance(5_000);
    const broken = await scrape(made);
    expect(valueOf(broken, 'nestjs_operator_throttled_objects')).toBe(1);
    expect(valueOf(broken, 'nestjs_operator_throttles_total', { resource })).toBeGreaterThan(0);
    expect(valueOf(broken, 'workqueue_retries_total', queue)).toBeGreaterThan(0);
    expect(valueOf(broken, 'nestjs_operator_api_requests_total', { verb: 'patch', code: '500' })).toBeGreaterThan(0);
  });

  it('are watches: up, and for how long they have not been', async () => {
    const made = await start([widget('a', 'works')]);
    const healthy = await scrape(made);
    expect(valueOf(healthy, 'nestjs_operator_watch_up', { resource })).toBe(1);
    expect(valueOf(healthy, 'nestjs_operator_watch_degraded_seconds', { resource })).toBe(0);
    made.api.faults.add({ match: { verb: 'watch', resource: 'widgets' }, do: { action: 'answer', status: 503 } });
    // By then the stream has come to its end.
    await made.clock.advance(11 * 60_000);
    const down = await scrape(made);
    expect(valueOf(down, 'nestjs_operator_watch_up', { resource })).toBe(0);
    expect(valueOf(down, 'nestjs_operator_watch_synced', { resource })).toBe(1);
    expect(valueOf(down, 'nestjs_operator_watch_degraded_seconds', { resource })).toBeGreaterThan(30);
    expect(valueOf(down, 'nestjs_operator_watch_last_event_age_seconds', { resource })).toBeGreaterThan(30);
    const refused = valueOf(down, 'nestjs_operator_api_requests_total', { verb: 'watch', code: '503' });
    const restarts = down.filter(({ name }) => name === 'nestjs_operator_watch_restarts_total');
    expect(restarts.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThanOrEqual(refused ?? 0);
    expect(refused).toBeGreaterThan(1);
  });

  it('has no more series with more objects and namespaces, and a scrape stays cheap', async () => {
    const made = await start([widget('first', 'works')]);
    const before = await scrape(made);
    for (let index = 0; index < 30; index += 1) {
      await made.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${index}` } });
    }
    for (let index = 0; index < 300; index += 1) {
      await made.api.create(widget(`w-${index}`, 'works', `team-${index % 30}`));
    }
    await made.clock.advance(60_000);
    const after = await scrape(made);
    expect(valueOf(after, 'nestjs_operator_store_objects', { resource })).toBe(301);
    const series = (samples: readonly Sample[]) =>
      samples
        .filter(({ name }) => !/^(process|nodejs)_/.test(name))
        .map(({ name, labels }) => `${name}${JSON.stringify(labels)}`);
    expect(series(after).filter((each) => /team-|w-\d/.test(each))).toEqual([]);
    expect(series(after)).toEqual(series(before));
    const begun = performance.now();
    for (let round = 0; round < 20; round += 1) await scrape(made);
    expect((performance.now() - begun) / 20).toBeLessThan(100);
  });
});
