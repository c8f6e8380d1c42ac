import 'reflect-metadata';
import { Inject } from '@nestjs/common';
import { crashAfterEveryWrite, type CrashScenario } from '@nestjs-operator/testing';
import {
  adopt,
  ApiError,
  HandlerContext,
  KubeClient,
  OnCreate,
  OnDelete,
  OnField,
  OnReconcile,
  OnUpdate,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { describe, expect, it } from 'vitest';
import { configMaps, definitions, Gadget, Widget } from '../../support/kinds.js';
import { ref, widget } from './widgets.js';

async function ignoreAbsence(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.isNotFound)) throw error;
  }
}

/** Handlers of all kinds that leave a record: in parts, with repetitions, results, patches and children. */
@ResourceHandlers(Widget)
class WidgetHandlers {
  constructor(@Inject(KubeClient) private readonly client: KubeClient) {}

  @OnCreate()
  async inParts(ctx: HandlerContext<Widget>): Promise<void> {
    for (const part of ['a', 'b']) {
      ctx.parts.add(part, async () => {
        await this.client.apply(
          configMaps,
          { metadata: { name: `${ctx.meta.name}-${part}`, namespace: 'default' } },
          { fieldManager: 'parts' },
        );
      });
    }
  }

  @OnCreate()
  @OnUpdate({ field: 'spec.n' })
  result(ctx: HandlerContext<Widget>): { n: unknown } {
    ctx.patch.merge({ metadata: { labels: { n: String(ctx.spec['n']) } } });
    return { n: ctx.spec['n'] };
  }

  @OnUpdate({ field: 'spec.n' })
  repeated(ctx: HandlerContext<Widget>): { repeated: boolean } {
    if (ctx.retry === 0) throw new TemporaryError('not yet', { delay: '5s' });
    return { repeated: true };
  }

  /** Goes on from what another handler has reported. */
  @OnField({ field: 'status.n' })
  follow(ctx: HandlerContext<Widget>): { followed: unknown } {
    return { followed: ctx.new };
  }

  @OnDelete()
  async first(ctx: HandlerContext<Widget>): Promise<void> {
    await ignoreAbsence(this.client.delete(configMaps, { name: `${ctx.meta.name}-a`, namespace: 'default' }));
  }

  @OnDelete()
  async second(ctx: HandlerContext<Widget>): Promise<void> {
    await ignoreAbsence(this.client.delete(configMaps, { name: `${ctx.meta.name}-b`, namespace: 'default' }));
  }
}

/** Keeps a ConfigMap for each Gadget, and leaves no record. */
@ResourceHandlers(Gadget)
class GadgetHandlers {
  constructor(@Inject(KubeClient) private readonly client: KubeClient) {}

  @OnReconcile({ owns: ['configmaps'] })
  async keep(ctx: HandlerContext<Gadget>): Promise<void> {
    const child = {
      metadata: { name: `of-${ctx.meta.name}`, namespace: 'default' },
      data: { n: String(ctx.spec['n']) },
    };
    await this.client.apply(configMaps, adopt(ctx.object, child), { fieldManager: 'gadgets' });
  }
}

const gadget = { apiVersion: 'demo.example/v1', kind: 'Gadget', name: 'g' };

const scenario: CrashScenario = {
  crds: definitions,
  providers: [WidgetHandlers, GadgetHandlers],
  async workload({ api, settled, advance }) {
    await api.create(widget('w', 1) as Record<string, unknown>);
    await api.create({ ...gadget, metadata: { name: 'g' }, spec: { n: 1 } });
    await settled();
    await api.patch(ref('w'), { spec: { n: 2 } });
    await api.patch(gadget, { spec: { n: 2 } });
    await advance('20s');
    // Somebody takes the child away.
    await api.delete({ apiVersion: 'v1', kind: 'ConfigMap', name: 'of-g', namespace: 'default' });
    await settled();
    await api.delete(ref('w'));
    await settled();
  },
};

// Some dozens of runs each.
describe('a kill', { timeout: 120_000 }, () => {
  it.each([
    ['annotations', {}],
    ['the status', { persistence: { store: 'status' } }],
  ] as const)(
    '[FS-19] after or before any single write leads to the end of an undisturbed run, with records in %s',
    async (_title, operator) => {
      const { writes, problems } = await crashAfterEveryWrite({ ...scenario, operator });
      expect(problems).toEqual([]);
      expect(writes.length).toBeGreaterThan(15);
    },
  );

  it("[FS-20] between clean-up and the finalizer's removal repeats the clean-up, and the object goes", async () => {
    const runs: string[][] = [];
    @ResourceHandlers(Widget)
    class CleaningHandlers {
      @OnDelete()
      clean({ meta }: HandlerContext<Widget>): void {
        runs.at(-1)?.push(meta.name);
      }
    }
    const left: unknown[] = [];
    const { writes, problems } = await crashAfterEveryWrite({
      crds: definitions,
      providers: [CleaningHandlers],
      async workload({ api, settled }) {
        runs.push([]);
        await api.create(widget('w', 1) as Record<string, unknown>);
        await settled();
        await api.delete(ref('w'));
        await settled();
        left.push(await api.get(ref('w')));
      },
    });
    // The finalizer comes and goes; a single clean-up needs no record between.
    expect(writes).toEqual(Array.from({ length: 2 }, () => 'PATCH demo.example/widgets default/w'));
    expect(problems).toEqual([]);
    // Undisturbed; killed before and after the first write; before the last one, and after it.
    expect(runs).toEqual([['w'], ['w'], ['w'], ['w', 'w'], ['w']]);
    expect(left).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});
