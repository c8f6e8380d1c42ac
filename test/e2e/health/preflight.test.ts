import 'reflect-metadata';
import { OnCreate, ResourceHandlers } from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { namespaces, Widget } from '../../support/kinds.js';
import { openWorld } from '../trials/open-world.js';

@ResourceHandlers(Widget)
class WidgetHandlers {
  @OnCreate()
  ensure(): void {}
}

interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const asked = (sent: readonly { readonly path: string; readonly body: unknown }[]): string[] =>
  sent
    .filter((request) => request.path === path)
    .map(({ body }) => (body as { spec: { resourceAttributes: Attributes } }).spec.resourceAttributes)
    .map(({ verb, resource, namespace = '*' }) => `${verb} ${resource} in ${namespace}`);

describe('the preflight', () => {
  it('that gets no answer says so once, and is not fatal in its strict form either', async () => {
    const world = await openWorld();
    world.stage.api.faults.add({ match: { path }, do: { action: 'answer', status: 403, reason: 'Forbidden' } });
    const { logs, exit, operator } = await world.startOperator({
      providers: [WidgetHandlers],
      operator: { preflight: 'fail' },
    });
    await world.until(() => logs.find({ message: 'Access could not be reviewed' }).length > 0);
    const [record] = logs.find({ message: 'Access could not be reviewed' });
    expect(record).toMatchObject({ level: 'warn', fields: { rules: 4 }, error: { code: 'OPERATOR_API', status: 403 } });
    await world.pass(60_000);
    expect(logs.find({ message: 'Access could not be reviewed' })).toHaveLength(1);
    expect(logs.find({ level: 'error' })).toEqual([]);
    expect([exit.code, operator.getStatus().state]).toEqual([undefined, 'running']);
  });

  it('asks once for each need, and for more only when more is served', async () => {
    const world = await openWorld();
    const { admin } = world;
    const create = (name: string) => admin.create(namespaces, { metadata: { name } } as never);
    await create('team-a');
    const { transport, clock } = await world.startOperator({
      providers: [WidgetHandlers],
      operator: { preflight: 'warn', namespaces: ['team-*'], events: { enabled: false } },
    });
    await clock.settle();
    const verbs = ['list', 'watch', 'get', 'patch'];
    const first = asked(transport.sent);
    expect(first.toSorted()).toEqual(
      [
        ...verbs.map((verb) => `${verb} widgets in team-a`),
        'list namespaces in *',
        'watch namespaces in *',
        'patch widgets in team-a',
      ].toSorted(),
    );
    transport.clear();
    await create('other');
    await create('team-b');
    await world.pass(1_000);
    expect(asked(transport.sent).toSorted()).toEqual(
      [...verbs, 'patch'].map((verb) => `${verb} widgets in team-b`).toSorted(),
    );
    transport.clear();
    await world.pass(600_000);
    expect(asked(transport.sent)).toEqual([]);
  });
});
