import { CustomResource, Daemon, HandlerContext, KubeObject, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { afterEach, describe, expect, test } from 'vitest';
import { Gadget, Widget } from '../../support/kinds.js';
import { workerFails, type Crash } from './scenarios.js';
import { gadgets, widgets, type Scene } from './support.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Ghost', plural: 'ghosts', scope: 'Namespaced' })
class Ghost extends KubeObject {}

@ResourceHandlers(Ghost)
class GhostHandlers {
  @OnCreate()
  ensure(): void {}
}

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  await scene?.stage.close();
  scene = undefined;
});

function keep<T extends Crash>(crash: T): T {
  ({ scene } = crash);
  return crash;
}

describe('while one worker fails, all else ends as cancelled', () => {
  test('[AC-08] each infrastructure task ends with one record that it was cancelled', async () => {
    const crash = keep(await workerFails());
    await crash.scene.failure();
    const { logs, operator } = crash.scene;
    expect(logs.cancelled).toEqual([
      'event recorder',
      'lookup of resources',
      `queue of ${gadgets}`,
      'watch guard',
      `watcher of ${gadgets}`,
      `watcher of ${widgets}`,
    ]);
    expect(logs.find({ message: 'Task finished unexpectedly' })).toEqual([]);
    expect(
      operator
        .getStatus()
        .tasks.map(({ name, state }) => `${name}: ${state}`)
        .toSorted(),
    ).toEqual([
      'event recorder: cancelled',
      'lookup of resources: cancelled',
      `queue of ${gadgets}: cancelled`,
      `queue of ${widgets}: failed`,
      'watch guard: cancelled',
      `watcher of ${gadgets}: cancelled`,
      `watcher of ${widgets}: cancelled`,
    ]);
  });

  test('[AC-08] so does the look-up of a resource that is not there yet', async () => {
    const crash = keep(
      await workerFails({ providers: [GhostHandlers], operator: { watching: { missingKind: 'wait' } } }),
    );
    await crash.scene.failure();
    const { logs } = crash.scene;
    // With what tells of its definition.
    for (const own of ['lookup of resources', 'watcher of definitions', 'discovery of changes']) {
      expect(logs.cancelled.filter((task) => task === own)).toHaveLength(1);
    }
    expect(logs.cancelled).toHaveLength(8);
    expect(logs.find({ message: 'Task finished unexpectedly' })).toEqual([]);
  });

  test('[AC-08] so do the tasks of daemons: their daemons are told to end, once, and none begins anew', async () => {
    const told: string[] = [];
    const begun: string[] = [];
    @ResourceHandlers(Gadget)
    class GadgetDaemons {
      @Daemon()
      async live(ctx: HandlerContext<Gadget>): Promise<void> {
        begun.push(ctx.meta.name);
        await ctx.stopped.wait();
        told.push(`${ctx.meta.name} ${String(ctx.stopped.reason)}`);
      }
    }
    @ResourceHandlers(Widget)
    class WidgetDaemons {
      @Daemon()
      async live(ctx: HandlerContext<Widget>): Promise<void> {
        begun.push(ctx.meta.name);
        await ctx.stopped.wait();
        told.push(`${ctx.meta.name} ${String(ctx.stopped.reason)}`);
      }
    }
    const crash = keep(await workerFails({ providers: [GadgetDaemons, WidgetDaemons] }));
    await crash.scene.failure();
    const { logs, operator } = crash.scene;
    expect(logs.cancelled.filter((task) => task.startsWith('daemons of '))).toEqual([
      `daemons of ${gadgets}`,
      `daemons of ${widgets}`,
    ]);
    expect(logs.find({ message: 'Task finished unexpectedly' })).toEqual([]);
    expect(begun.toSorted()).toEqual(['good', 'other']);
    expect(told.toSorted()).toEqual(['good exiting', 'other exiting']);
    expect(
      operator
        .getStatus()
        .tasks.filter(({ name }) => name.startsWith('daemons of '))
        .map(({ state }) => state),
    ).toEqual(['cancelled', 'cancelled']);
  });
});
