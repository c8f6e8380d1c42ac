import { Injectable } from '@nestjs/common';
import type { TestStage } from '@nestjs-operator/testing';
import {
  HandlerContext,
  OnCleanup,
  OnCreate,
  OnStartup,
  OperatorFailedError,
  PermanentError,
  ResourceHandlers,
} from 'nestjs-operator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Widget } from '../../support/kinds.js';
import { createScene, createStage, hooks, object, type Scene } from './support.js';

let stage: TestStage;
let scene: Scene | undefined;

beforeEach(async () => {
  stage = await createStage([object('Widget', 'there')]);
});

afterEach(async () => {
  await scene?.close();
  await stage.close();
  scene = undefined;
});

/** Start-up and clean-up in several classes; the second start-up handler fails with `error`. */
function activities(error: Error, calls: string[]) {
  @Injectable()
  class Database {
    @OnStartup()
    connect(): void {
      calls.push('connect');
    }

    @OnCleanup()
    disconnect(): void {
      calls.push('disconnect');
    }
  }

  @Injectable()
  class Cache {
    @OnStartup({ retries: 3, backoff: '1s' })
    warm(): void {
      calls.push('warm');
      throw error;
    }

    @OnCleanup()
    cool(): void {
      calls.push('cool');
    }
  }

  @Injectable()
  class Mail {
    @OnStartup()
    login(): void {
      calls.push('login');
    }

    @OnCleanup()
    logout(): void {
      calls.push('logout');
    }
  }

  @Injectable()
  class Sweeper {
    @OnCleanup()
    sweep(): void {
      calls.push('sweep');
    }
  }

  @ResourceHandlers(Widget)
  class WidgetHandlers {
    @OnCreate()
    ensure(ctx: HandlerContext<Widget>): void {
      calls.push(`ensure ${ctx.meta.name}`);
    }
  }

  return [Database, Cache, Mail, Sweeper, WidgetHandlers];
}

describe('a start-up handler that fails for good', () => {
  const errors = {
    'a permanent error': { error: new PermanentError('no cache'), attempts: 1 },
    'an error beyond its retries': { error: new Error('no cache'), attempts: 3 },
  } as const;

  for (const [what, { error, attempts }] of Object.entries(errors)) {
    for (const autoStart of [true, false]) {
      test(`[AC-22] ${what}: no API request, exit code 1, clean-up of what was started only (autoStart: ${autoStart})`, async () => {
        const calls: string[] = [];
        scene = await createScene(stage, { providers: activities(error, calls), operator: { autoStart } });
        const { operator, exit, logs, transport, api, journal, clock } = scene;
        // With autoStart it joins the start that has begun.
        const rejection = await clock.during(
          operator.start().then(
            () => undefined,
            (reason: unknown) => reason,
          ),
        );
        expect(rejection).toBeInstanceOf(OperatorFailedError);
        expect((rejection as OperatorFailedError).cause).toBe(error);
        expect(await scene.failure()).toBe(rejection);
        expect(calls).toEqual(['connect', ...Array.from({ length: attempts }, () => 'warm'), 'disconnect']);
        expect(transport.sent).toEqual([]);
        expect(api.requests.length).toBe(0);
        expect([exit.code, exit.exits]).toEqual([1, [1]]);
        const errors = logs.find({ level: 'error' }).map(({ message }) => message);
        expect(errors).toEqual([
          ...Array.from({ length: attempts - 1 }, () => 'Activity failed and will be called again'),
          'The start failed; the operator stops',
          'Operator failed',
        ]);
        expect(logs.only('The start failed; the operator stops').error).toBe(error);
        expect(logs.only('Operator failed').error).toBe(rejection);
        expect(operator.getStatus()).toMatchObject({ state: 'failed', tasks: [], watches: [] });
        expect(journal.filter((entry) => hooks.includes(entry))).toEqual(hooks);
        await clock.advance(60_000);
        expect(calls).not.toContain('ensure there');
        expect(transport.sent).toEqual([]);
      });
    }
  }
});
