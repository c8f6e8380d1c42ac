import 'reflect-metadata';
import { AccessMissingError, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { openStage, second, startReplica } from '../election/two-replicas.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  ensure(): void {}
}

const providers = [WidgetHandlers];

describe('health of replicas', () => {
  it.each([false, true])(
    'leader and standby are ready, and say which they are (warm standby: %s)',
    async (warmStandby) => {
      const stage = await openStage();
      const a = await startReplica({ stage, identity: 'a', providers, election: { warmStandby } });
      await stage.clock.during(a.operator.whenSynced());
      const b = await startReplica({ stage, identity: 'b', providers, election: { warmStandby } });
      await stage.clock.advance(5 * second);
      const [leader, standby] = [await a.operator.getHealth(), await b.operator.getHealth()];
      expect(leader).toMatchObject({ readiness: { ok: true }, leadership: { state: 'leading', holder: 'a' } });
      expect(standby).toMatchObject({ readiness: { ok: true }, leadership: { state: 'standby', holder: 'a' } });
      expect(standby.watches).toHaveLength(warmStandby ? 1 : 0);
    },
  );

  it('a lease that cannot be had for long is red on readiness, not on liveness, and green when it can', async () => {
    const stage = await openStage();
    const refused = stage.api.faults.add({
      match: { resource: 'leases' },
      do: { action: 'answer', status: 403, reason: 'Forbidden' },
    });
    const { operator, logs, exit } = await startReplica({ stage, identity: 'a', providers });
    await stage.clock.advance(5 * second);
    expect((await operator.getHealth()).readiness.ok).toBe(true);
    await stage.clock.advance(10 * second);
    const { liveness, readiness, leadership } = await operator.getHealth();
    expect(liveness).toEqual({ ok: true, reasons: [] });
    expect(readiness.reasons).toMatchObject([{ reason: 'lease-failing', subject: leadership.lease }]);
    expect(readiness.reasons[0]?.message).toMatch(/403/);
    expect(logs.find({ level: 'warn' }).length).toBeGreaterThan(0);
    refused.remove();
    await stage.clock.advance(10 * second);
    expect(await operator.getHealth()).toMatchObject({ readiness: { ok: true }, leadership: { state: 'leading' } });
    expect(exit.code).toBeUndefined();
  });

  it('the preflight of a replica that may not have the lease names the rule', async () => {
    const stage = await openStage({
      users: [
        { name: 'admin', token: 'token-of-admin', groups: ['system:masters'] },
        { name: 'operator', token: 'token-of-operator' },
      ],
      authorization: 'rbac',
    });
    const { logs } = await startReplica({
      stage,
      identity: 'a',
      providers,
      operator: { preflight: 'warn', kubeConfig: stage.api.kubeConfig('operator') },
    });
    await stage.clock.advanceUntil(() => logs.find({ message: 'The account lacks access' }).length > 0);
    const [record] = logs.find({ message: 'The account lacks access' });
    const missing = (record?.error as AccessMissingError | undefined)?.missing.map(
      ({ resource, namespace, verbs }) => ({
        resource,
        namespace,
        verbs,
      }),
    );
    expect(missing).toEqual([
      { resource: 'leases.coordination.k8s.io', namespace: 'default', verbs: ['create'] },
      { resource: 'leases.coordination.k8s.io', namespace: 'default', verbs: ['get', 'update'] },
    ]);
  });
});
