import 'reflect-metadata';
import { CustomResource, HandlerContext, KubeObject, OnCreate, ResourceHandlers } from 'nestjs-operator';
import { afterEach, describe, expect, test } from 'vitest';
import { WatchFailedError } from '../../../libs/operator/src/errors/watch-failed.error.js';
import { definition, Widget } from '../../support/kinds.js';
import { errorEvent } from './scenarios.js';
import { createScene, createStage, type Scene } from './support.js';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Latecomer', plural: 'latecomers', scope: 'Namespaced' })
class Latecomer extends KubeObject<Record<string, unknown>> {}

@ResourceHandlers(Latecomer)
class LatecomerHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  greet(ctx: HandlerContext<Latecomer>): void {
    this.calls.push(ctx.key);
  }
}

@ResourceHandlers(Widget)
class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  greet(ctx: HandlerContext<Widget>): void {
    this.calls.push(ctx.key);
  }
}

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  await scene?.stage.close();
  scene = undefined;
});

/** Breaks the watch five times, and expects what a watch from the start would lead to. */
async function expectFatal({ api, clock, operator, exit, logs, failure }: Scene, plural: string, where: string) {
  const resource = `${plural}.v1.demo.example`;
  const inSync = (): boolean =>
    api.watches.list({ resource: plural }).length === 1 &&
    operator.getStatus().watches.find((watch) => watch.resource === resource)?.state === 'watching';
  for (let count = 1; count <= 5; count += 1) {
    await clock.advanceUntil(inSync, 60_000);
    expect(exit.code, `after ${count - 1} ERROR events`).toBeUndefined();
    api.watches.inject(errorEvent(500), { resource: plural });
    await clock.advance(0);
  }
  const failed = await failure();
  expect(failed.cause).toBeInstanceOf(WatchFailedError);
  expect(logs.find({ level: 'error' }).map(({ context, fields }) => [context, fields['task']])).toEqual([
    ['Supervisor', `watcher of ${resource}${where}`],
    ['Supervisor', undefined],
  ]);
  expect([exit.code, exit.exits]).toEqual([1, [1]]);
}

describe('a watch that began at run time', () => {
  test('[AC-13] because its definition appeared, is as fatal as one from the start', async () => {
    const stage = await createStage();
    scene = await createScene(stage, {
      providers: [LatecomerHandlers],
      operator: { watching: { missingKind: 'wait' } },
    });
    const { api, clock, module } = scene;
    await clock.advance(10 * 60_000);
    await api.create(definition({ plural: 'latecomers', kind: 'Latecomer' }));
    const metadata = { name: 'one', namespace: 'default' };
    await clock.advance(1_000);
    await api.create({ apiVersion: 'demo.example/v1', kind: 'Latecomer', metadata });
    await clock.advanceUntil(() => module.get(LatecomerHandlers).calls.length === 1);
    await expectFatal(scene, 'latecomers', '');
  });

  test('[AC-13] because its namespace appeared, is as fatal as one from the start', async () => {
    const stage = await createStage();
    scene = await createScene(stage, { providers: [WidgetHandlers], operator: { namespaces: ['team-*'] } });
    const { api, clock, module } = scene;
    await clock.during(scene.operator.whenSynced());
    await clock.advance(10 * 60_000);
    expect(api.watches.list({ resource: 'widgets' })).toEqual([]);
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } });
    const metadata = { name: 'one', namespace: 'team-a' };
    await api.create({ apiVersion: 'demo.example/v1', kind: 'Widget', metadata });
    await clock.advanceUntil(() => module.get(WidgetHandlers).calls.length === 1);
    await expectFatal(scene, 'widgets', ' in team-a');
  });
});
