import { Injectable, ParseIntPipe } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnStartup } from '../../src/decorators/on-startup.decorator.js';
import {
  Annotations,
  Diff,
  KubeContext,
  KubeObjectParam,
  Labels,
  Meta,
  Name,
  Namespace,
  New,
  Old,
  Spec,
  Status,
  Uid,
} from '../../src/decorators/parameter.decorators.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { HandlerContext } from '../../src/engine/handling/handler-context.js';
import type { ActivityContext } from '../../src/engine/handling/handler-definition.js';
import { ParameterUnavailableError } from '../../src/errors/parameter-unavailable.error.js';
import { contextOf, harness, object } from './support/invoker-harness.js';

describe('arguments', () => {
  it('are the context alone, without parameter decorators', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      plain(...args: unknown[]): unknown[] {
        return args;
      }
    }
    const context = contextOf();
    expect(await (await harness({ providers: [Handlers] })).invoke('plain', context)).toEqual([context]);
  });

  it('come from parameter decorators, with paths and pipes', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      all(
        @KubeContext() context: HandlerContext,
        @Name() name: string,
        @Namespace() namespace: string,
        @Uid() uid: string,
        @Spec() spec: unknown,
        @Spec('size', ParseIntPipe) size: number,
        @Spec(['nested', 'deep']) deep: number,
        @Spec('no.such.path') missing: unknown,
        @Status('ready') ready: boolean,
        @Meta('uid') metaUid: string,
        @Labels() labels: unknown,
        @Labels('app') app: string,
        @Annotations('a.b/c') annotation: string,
        @Old('spec.size') old: string,
        @New('spec.size') fresh: string,
        @Diff() diff: unknown[],
        @Diff('spec') specDiff: unknown[],
        @KubeObjectParam('kind') kind: string,
      ): unknown[] {
        return [
          context.meta.name,
          name,
          namespace,
          uid,
          spec,
          size,
          deep,
          missing,
          ready,
          metaUid,
          labels,
          app,
          annotation,
          old,
          fresh,
          diff.length,
          specDiff.length,
          kind,
        ];
      }
    }
    expect(await (await harness({ providers: [Handlers] })).invoke('all')).toEqual([
      'one',
      'one',
      'team-a',
      'u1',
      object.spec,
      5,
      1,
      undefined,
      true,
      'u1',
      { app: 'x' },
      'x',
      'yes',
      '4',
      '5',
      2,
      1,
      'Pod',
    ]);
  });

  it('do not reach into prototypes', async () => {
    @ResourceHandlers('pods')
    class Handlers {
      @OnCreate()
      proto(@Spec('constructor.name') name: unknown): unknown {
        return name;
      }
    }
    expect(await (await harness({ providers: [Handlers] })).invoke('proto')).toBeUndefined();
  });

  it('of a step are its own context; an object is not to be had there', async () => {
    @Injectable()
    class Steps {
      @OnStartup()
      plain(context: ActivityContext): number {
        return context.retry;
      }
      @OnStartup()
      decorated(@KubeContext() context: ActivityContext): number {
        return context.retry;
      }
      @OnStartup()
      wrong(@Spec() spec: unknown): unknown {
        return spec;
      }
    }
    const { invokeActivity } = await harness({ providers: [Steps] });
    const context = { retry: 4, signal: new AbortController().signal };
    expect(await invokeActivity('plain', context)).toBe(4);
    expect(await invokeActivity('decorated', context)).toBe(4);
    await expect(invokeActivity('wrong', context)).rejects.toBeInstanceOf(ParameterUnavailableError);
  });
});
