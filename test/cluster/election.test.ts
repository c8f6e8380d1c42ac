import 'reflect-metadata';
import { eventually } from '@nestjs-operator/testing';
import { HandlerContext, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Widget } from '../support/kinds.js';
import { createRealWorld } from '../support/real-world.js';
import type { RunningOperator, World } from '../support/world.js';
import { leases, type LeaseView } from './replicas.js';

const sixDigits = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const name = 'replicas.example.com';

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate() create(ctx: HandlerContext<Widget>): { seen: string } {
    return { seen: ctx.meta.name };
  }
}

let world: World;
beforeEach(async () => {
  world = await createRealWorld();
});
afterEach(() => world.close());

const lease = (): Promise<LeaseView> => world.admin.get<LeaseView>(leases, { name, namespace: world.namespace });

const start = (identity: string): Promise<RunningOperator> =>
  world.startOperator({
    providers: [WidgetHandlers],
    operator: { name, leaderElection: { enabled: true, namespace: world.namespace, identity } },
  });

const state = ({ operator }: RunningOperator): string => operator.getStatus().leadership.state;

async function held(spec: object): Promise<void> {
  await world.admin.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: world.namespace },
    spec,
  });
}

/** As libraries of other languages write it: in another offset, with their own fields left out. */
const micro = (milliseconds: number, offset = 'Z'): string =>
  new Date(milliseconds).toISOString().replace('Z', `000${offset}`);

describe('[TC-63] the Lease on a real server', () => {
  it('[TC-63] has six digits in its times after the start, a renewal and a takeover, and counts its transitions', async () => {
    const a = await start('a');
    expect(state(a)).toBe('leading');
    const first = (await lease()).spec;
    expect(first).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    await eventually(async () => (await lease()).spec.renewTime !== first.renewTime, { timeout: 10_000 });
    const renewed = (await lease()).spec;
    expect(renewed.acquireTime).toBe(first.acquireTime);
    const b = await start('b');
    expect(state(b)).toBe('standby');
    await a.close();
    expect((await lease()).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    await eventually(() => state(b) === 'leading', { timeout: 10_000 });
    const taken = (await lease()).spec;
    expect(taken).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    for (const spec of [first, renewed, taken]) {
      expect([spec.acquireTime, spec.renewTime].every((time) => sixDigits.test(String(time)))).toBe(true);
    }
    await world.admin.create(Widget, { metadata: { name: 'one', namespace: world.namespace }, spec: {} });
    await world.until(
      async () =>
        (await world.admin.get(Widget, { name: 'one', namespace: world.namespace })).status?.['seen'] === 'one',
    );
  });

  it("[TC-63] of another language's library is respected while it is alive, and taken over when it has run out", async () => {
    const past = Date.now() - 3_600_000;
    // Long past by its own words, but it was never seen before: its holder may live and have a wrong clock.
    await held({
      holderIdentity: 'java',
      leaseDurationSeconds: 4,
      acquireTime: micro(past, '+02:00'),
      renewTime: micro(past, '+02:00'),
      leaseTransitions: 7,
    });
    const began = performance.now();
    const a = await start('a');
    expect(state(a)).toBe('standby');
    expect(a.operator.getStatus().leadership.holder).toBe('java');
    // It is alive: it renews.
    for (let renewal = 0; renewal < 3; renewal += 1) {
      await world.pass(2_000);
      await world.admin.patch(leases, { name, namespace: world.namespace }, { spec: { renewTime: micro(Date.now()) } });
    }
    const last = performance.now();
    expect(state(a)).toBe('standby');
    await eventually(() => state(a) === 'leading', { timeout: 15_000, interval: 20 });
    expect(performance.now() - last).toBeGreaterThan(3_500);
    expect(performance.now() - began).toBeGreaterThan(9_000);
    const { spec } = await lease();
    expect(spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 8, leaseDurationSeconds: 15 });
    expect(spec.renewTime).toMatch(sixDigits);
  });
});
