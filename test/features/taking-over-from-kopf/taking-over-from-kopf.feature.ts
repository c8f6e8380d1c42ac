import { readFileSync } from 'node:fs';
import type { KopfOptions, ObjectMeta } from 'nestjs-operator';
import { afterAll, describe, expect, test } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { isGone } from '../../support/looking.js';
import { OpenWorlds } from '../../support/open-worlds.js';
import type { World } from '../../support/world.js';
import { PortedHandlers } from './operator.js';

// An object as Kopf 1.45 left it on the embedded API server.
interface Recorded {
  readonly metadata: ObjectMeta;
  readonly spec: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

interface Setting {
  readonly name: 'default' | 'own-prefix' | 'status';
  readonly kopf: true | KopfOptions;
}

const settings: readonly Setting[] = [
  { name: 'default', kopf: true },
  {
    name: 'own-prefix',
    kopf: { prefix: 'widgets.team.example', finalizer: 'widgets.team.example/kopf-finalizer' },
  },
  { name: 'status', kopf: true },
];

const own = { record: 'test.example.com/nestjs-operator.widgets', finalizer: 'test.example.com/finalizer' };

function recorded(name: Setting['name']): Recorded[] {
  const text = readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8');
  // Years ago: what Kopf would have tried again is due.
  return JSON.parse(text.replaceAll('2026-11-30T', '2020-11-30T')) as Recorded[];
}

// Puts objects on the server as they were when the old operator was stopped. */
async function plant({ admin, namespace }: World, objects: readonly Recorded[]): Promise<void> {
  for (const { metadata, spec, status } of objects) {
    const { name, labels, annotations, finalizers, deletionTimestamp } = metadata;
    const ref = { name, namespace };
    await admin.create(Widget, {
      metadata: { ...ref, labels: labels!, annotations: annotations!, finalizers: finalizers! },
      spec,
    });
    if (status !== undefined) await admin.patch(Widget, ref, { status }, { subresource: 'status' });
    if (deletionTimestamp !== undefined) await admin.delete(Widget, ref);
  }
}

/** Objects that an operator written with Kopf has handled go on where it stopped. */
export function takingOverFromKopfFeature(createWorld: () => Promise<World>): void {
  describe('an operator that was written with Kopf before', () => {
    const worlds = new OpenWorlds(createWorld);
    afterAll(() => worlds.close());

    test.each(settings)('goes on where it stopped ($name)', async ({ name, kopf }) => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      await plant(world, recorded(name));
      const operator = { persistence: { kopf } };
      const first = await world.startOperator({ providers: [PortedHandlers], operator });
      const { calls, parts } = first.module.get(PortedHandlers);
      await world.until(() => isGone(admin, Widget, { name: 'dying', namespace }));
      await world.until(() => calls.length === 5 && parts.length === 1);
      await world.pass(3_000);
      expect(calls.toSorted()).toEqual([
        'dying: delete delete 1',
        'long: long create 1',
        'parts: parts create 0',
        'retrying: second create 1',
        'updating: update update 1',
      ]);
      expect(parts).toEqual(['second 1']);

      for (const { metadata, status } of (await admin.listPage(Widget, { namespace })).items) {
        const names = Object.keys(metadata.annotations ?? {});
        expect(names.toSorted(), metadata.name).toEqual(['case', 'team.example/note', own.record]);
        expect(metadata.finalizers, metadata.name).toEqual([own.finalizer]);
        expect(status?.['kopf'], metadata.name).toBeUndefined();
        expect(status?.['create_fn'], metadata.name).toEqual({ created: metadata.name });
      }
      expect(first.logs.find({ level: 'error' })).toEqual([]);
      expect(first.logs.find({ level: 'warn', message: /record/i })).toEqual([]);
      await first.close();

      const second = await world.startOperator({ providers: [PortedHandlers], operator });
      await world.pass(3_000);
      const later = second.module.get(PortedHandlers).calls;
      expect(later).toEqual([]);
      await admin.patch(Widget, { name: 'handled', namespace }, { spec: { size: 3 } });
      await world.until(() => later.length === 1);
      expect(later).toEqual(['handled: update update 0']);
      await admin.delete(Widget, { name: 'handled', namespace });
      await world.until(() => isGone(admin, Widget, { name: 'handled', namespace }));
    });

    test('that is not taken over is nothing to a new one: Kopf keeps what is its own', async () => {
      const world = await worlds.open();
      const { admin, namespace } = world;
      const [handled] = recorded('default').filter(({ metadata }) => metadata.name === 'handled');
      await plant(world, [handled!]);
      const ref = { name: 'handled', namespace };
      const { module } = await world.startOperator({ providers: [PortedHandlers] });
      const { calls } = module.get(PortedHandlers);
      await world.until(() => calls.length > 0);
      await world.pass(1_000);
      expect(calls).toEqual(['handled: create create 0']);
      // As Kopf goes on to write, that is no change to others.
      const state = 'kopf.zalando.org/last-handled-configuration';
      await admin.patch(Widget, ref, {
        metadata: { annotations: { [state]: '{"spec":{}}', 'kopf.zalando.org/x': '{}' } },
      });
      await world.pass(3_000);
      expect(calls).toHaveLength(1);
      const { metadata } = await admin.get(Widget, ref);
      expect(metadata.annotations?.[state]).toBe('{"spec":{}}');
      expect(metadata.finalizers).toEqual(['kopf.zalando.org/KopfFinalizerMarker', own.finalizer]);
      await admin.patch(Widget, ref, { metadata: { finalizers: null } });
    });

    test('nothing of this is written again in a quiet cluster', () => worlds.expectQuiet());
  });
}
