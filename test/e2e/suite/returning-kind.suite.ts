import {
  CustomResource,
  HandlerContext,
  KubeObject,
  OnCreate,
  OnDelete,
  OnUpdate,
  ResourceHandlers,
  Timer,
} from 'nestjs-operator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { definition } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import type { World } from '../../support/world.js';

@CustomResource({ group: 'returning.example', version: 'v1', kind: 'Comet', plural: 'comets', scope: 'Namespaced' })
class Comet extends KubeObject<{ readonly size?: number }, { readonly seen?: number }> {}

@ResourceHandlers(Comet)
class CometHandlers {
  readonly created: string[] = [];
  readonly deleted: string[] = [];
  readonly ticks: string[] = [];

  @OnCreate()
  @OnUpdate()
  ensure(ctx: HandlerContext<Comet>): object {
    this.created.push(String(ctx.meta.uid));
    return { seen: ctx.spec.size };
  }

  @OnDelete()
  remove(ctx: HandlerContext<Comet>): void {
    this.deleted.push(String(ctx.meta.uid));
  }

  @Timer({ interval: '1s' })
  tick(ctx: HandlerContext<Comet>): void {
    this.ticks.push(String(ctx.meta.uid));
  }
}

const crds = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
const name = 'comets.returning.example';
const names = Array.from({ length: 10 }, (_, index) => `comet-${index}`);

/** In v1, and in another version if told so. */
function comets({ versions }: { readonly versions: readonly string[] }) {
  const { spec, ...rest } = definition({ plural: 'comets', kind: 'Comet' });
  const [v1] = spec.versions;
  return {
    ...rest,
    // What others watch must not be disturbed.
    metadata: { name },
    spec: {
      ...spec,
      group: 'returning.example',
      versions: versions.map((version) => ({ ...v1, name: version, storage: version === 'v1' })),
    },
  };
}

/** A definition that is deleted while its operator runs, and comes back. */
export function returningKindSuite(createWorld: () => Promise<World>): void {
  describe('a definition that goes and comes back', () => {
    test('[TC-57] its work ends quietly, and starts afresh with its return', async () => {
      const world = await createWorld();
      const { admin, namespace } = world;
      onTestFinished(() => world.close());
      onTestFinished(async () => {
        if (!(await isGone(admin, crds, { name }))) await admin.delete(crds, { name });
      });
      const established = async (): Promise<boolean> => {
        const found = (await admin.get(crds, { name })) as {
          readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
        };
        return (
          found.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true
        );
      };
      const create = async (which: string): Promise<string> =>
        String((await admin.create(Comet, { metadata: { name: which, namespace }, spec: { size: 1 } })).metadata.uid);

      await admin.create(comets({ versions: ['v1'] }));
      await world.until(established);
      const running = await world.startOperator({ providers: [CometHandlers] });
      const { operator, logs, module, exit, transport } = running;
      const { created, deleted, ticks } = module.get(CometHandlers);
      const state = (): string | undefined =>
        operator.getStatus().watches.find(({ resource }) => resource.startsWith('comets.'))?.state;

      const old = await Promise.all(names.map(create));
      await world.until(
        () => created.length === 10 && old.every((uid) => ticks.filter((tick) => tick === uid).length > 1),
      );
      expect(created.toSorted()).toEqual(old.toSorted());

      // The server deletes the objects first, so each of them gets its clean-up.
      await admin.delete(crds, { name });
      await world.until(() => isGone(admin, crds, { name }));
      expect(deleted.toSorted()).toEqual(old.toSorted());
      await world.until(() => state() === 'kind-gone');
      const before = { ticks: ticks.length, records: logs.records.length };
      transport.clear();
      await world.pass(60_000);
      expect(ticks).toHaveLength(before.ticks);
      expect(state()).toBe('kind-gone');
      expect(operator.getStatus().objects).toEqual({ 'comets.v1.returning.example': 0 });
      expect((await operator.getHealth()).readiness.reasons).toEqual([]);
      // Nothing is said while it is waited for, and little is asked.
      expect(logs.records.slice(before.records).filter(({ level }) => level !== 'debug')).toEqual([]);
      expect(transport.sent.filter(({ path }) => path.includes('comets'))).toEqual([]);
      // On a server that is shared, the definitions of others change too, and each change is a reason to look.
      const looksFor = world.kind === 'real' ? /^\/apis?(\/[^/]+){0,2}$/ : /^$/;
      expect(transport.sent.filter(({ path }) => !looksFor.test(path)).length).toBeLessThan(20);
      expect(logs.find({ message: 'The resource is no longer served, waiting for it' })).toHaveLength(1);

      await admin.create(comets({ versions: ['v1', 'v2'] }));
      await world.until(established);
      const fresh = await Promise.all(names.slice(0, 3).map(create));
      await world.until(() => created.length === 13, 5_000);
      expect(created.slice(10).toSorted()).toEqual(fresh.toSorted());
      await world.until(() => fresh.every((uid) => ticks.slice(before.ticks).includes(uid)), 5_000);
      await world.pass(3_000);
      expect(ticks.slice(before.ticks).filter((uid) => old.includes(uid))).toEqual([]);
      expect(operator.getStatus().objects).toEqual({ 'comets.v1.returning.example': 3 });
      expect([created.length, deleted.length]).toEqual([13, 10]);
      expect(logs.find({ level: 'error' })).toEqual([]);
      expect(exit.code).toBeUndefined();
      for (const which of names.slice(0, 3)) await admin.delete(Comet, { name: which, namespace });
      await world.until(() => deleted.length === 13);
    });
  });
}
