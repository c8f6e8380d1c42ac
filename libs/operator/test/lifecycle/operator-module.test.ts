import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { KubeClient } from '../../src/engine/client/kube/kube-client.js';
import { SystemClock, type Timer } from '../../src/engine/ports/index.js';
import { DuplicateOperatorModuleError } from '../../src/errors/duplicate-operator-module.error.js';
import { InvalidHandlersError } from '../../src/errors/invalid-handlers.error.js';
import { InvalidOptionsError } from '../../src/errors/invalid-options.error.js';
import { OperatorRef } from '../../src/lifecycle/operator.ref.js';
import { OPERATOR_CLOCK, OPERATOR_OPTIONS } from '../../src/operator.constants.js';
import { OperatorModule } from '../../src/operator.module.js';
import type { OperatorModuleOptions, OperatorOptionsFactory } from '../../src/operator.options.js';
import type { ResolvedOptions } from '../../src/options/resolve-options.js';
import { moduleOptions, OperatorFakes } from './support/fake-engine.js';
import { operatorModule, turn } from './support/operator-app.js';

let opened: TestingModule | undefined;

/** One that did not come up: Nest 11 rejects its close(). */
function forget(): void {
  opened = undefined;
}

afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(
  imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>,
): Promise<TestingModule> {
  opened = await Test.createTestingModule({ imports }).compile();
  return opened;
}

@ResourceHandlers('pods')
class Handlers {
  @OnCreate()
  ensure(): string {
    return 'ensured';
  }
}

@Module({ providers: [Handlers] })
class Feature {}

describe('OperatorModule', () => {
  it('gives the engine the handlers, the configuration and a way to call them', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes, { namespaces: ['team-a'] }), Feature]);
    await module.init();
    const { options } = fakes.engine;
    expect(options.handlers.map(({ origin }) => origin)).toEqual(['Handlers.ensure']);
    expect(options.config).toMatchObject({ name: moduleOptions.name, namespaces: ['team-a'] });
    const [handler] = options.handlers;
    expect(await options.invoker.invoke(handler!, {} as never)).toBe('ensured');
  });

  it('starts at bootstrap without waiting, and only once however often hooks run', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes), Feature]);
    await module.init();
    expect(fakes.engine.calls).toEqual(['start']);
    const microservice = module as unknown as { callInitHook(): Promise<void>; callBootstrapHook(): Promise<void> };
    await microservice.callInitHook();
    await microservice.callBootstrapHook();
    await turn();
    expect(fakes.engine.calls).toEqual(['start']);
    expect(fakes.engines).toHaveLength(1);
  });

  it('does not start by itself with autoStart: false', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes, { autoStart: false })]);
    await module.init();
    expect(fakes.engine.calls).toEqual([]);
    const ref = module.get(OperatorRef);
    expect(ref.getStatus().state).toBe('idle');
    await ref.start();
    expect(ref.getStatus().state).toBe('running');
    await expect(ref.whenSynced()).resolves.toBeUndefined();
  });

  it('stops the engine as the application closes, and keeps out of its way', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes)]);
    await module.init();
    const ref = module.get(OperatorRef);
    await module.close();
    await ref.done;
    expect(fakes.engine.calls).toEqual(['start', 'stop application closes', 'drained']);
  });

  it('closes the application when told to stop, once', async () => {
    const fakes = new OperatorFakes();
    const destroyed: string[] = [];
    @Injectable()
    class Database {
      onModuleDestroy(): void {
        destroyed.push('database');
      }
    }
    @Module({ providers: [Database] })
    class DatabaseModule {}
    const module = await open([operatorModule(fakes), DatabaseModule]);
    await module.init();
    await module.get(OperatorRef).stop();
    expect(destroyed).toEqual(['database']);
    expect(fakes.engine.calls).toEqual(['start', 'stop stop', 'drained', 'stop application closes', 'closed']);
  });

  it('can be stopped before it was started', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes, { autoStart: false })]);
    await module.init();
    await module.get(OperatorRef).stop();
    expect(module.get(OperatorRef).getStatus().state).toBe('stopped');
  });

  it('rejects done with what failed, and an unobserved failure harms nobody', async () => {
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes)]);
    await module.init();
    const failure = new Error('A watch ended.');
    fakes.engine.fatal(failure, 'test');
    await expect(module.get(OperatorRef).done).rejects.toBe(failure);
    expect(fakes.exit.codes).toEqual([1]);
  });

  it('a start that fails at bootstrap fails done, not the bootstrap', async () => {
    const fakes = new OperatorFakes();
    const failure = new Error('The start-up handler failed.');
    fakes.prepare = (engine) => {
      engine.startFailure = failure;
    };
    const module = await open([operatorModule(fakes)]);
    await module.init();
    await expect(module.get(OperatorRef).done).rejects.toBe(failure);
    await expect(module.get(OperatorRef).start()).rejects.toBe(failure);
  });

  it('gives KubeClient to those who import it, or to all', async () => {
    @Injectable()
    class Service {
      constructor(
        @Inject(KubeClient) readonly client: KubeClient,
        @Inject(OperatorRef) readonly ref: OperatorRef,
      ) {}
    }
    @Module({ providers: [Service] })
    class Lonely {}
    await expect(open([operatorModule(new OperatorFakes()), Lonely])).rejects.toThrow(/KubeClient/);
    const module = await open([operatorModule(new OperatorFakes(), { global: true }), Lonely]);
    expect(module.get(Service).client).toBeInstanceOf(KubeClient);
    expect(module.get(Service).ref).toBe(module.get(OperatorRef));
  });

  it('says what to do where it is imported bare, and warns where no handler is found', async () => {
    await expect(open([OperatorModule])).rejects.toMatchObject({
      code: 'OPERATOR_INVALID_OPTIONS',
      message: expect.stringContaining('imported without options') as string,
    });
    const warned = async (imports: Parameters<typeof open>[0]): Promise<number> => {
      const fakes = new OperatorFakes();
      const module = await open([operatorModule(fakes), ...imports]);
      await module.init();
      await module.close();
      return fakes.records.filter(({ message }) => message.startsWith('No provider or controller has a handler'))
        .length;
    };
    expect([await warned([]), await warned([Feature])]).toEqual([1, 0]);
  });

  it('warns when nobody handles SIGTERM a second after the start, and only then', async () => {
    class HeldClock extends SystemClock {
      readonly timers: { readonly delay: number; readonly fire: () => void }[] = [];

      override setTimer(delay: number, fire: () => void): Timer {
        this.timers.push({ delay, fire });
        return { cancel: () => undefined };
      }
    }
    const warningsOf = async (prepare: (fakes: OperatorFakes) => void): Promise<number> => {
      const fakes = new OperatorFakes();
      const clock = new HeldClock();
      const definition = operatorModule(fakes);
      const providers = [...(definition.providers ?? []), { provide: OPERATOR_CLOCK, useValue: clock }];
      const module = await open([{ ...definition, providers }]);
      await module.init();
      await turn();
      // What attaches the application comes after its bootstrap.
      prepare(fakes);
      expect(clock.timers.map(({ delay }) => delay)).toEqual([1_000]);
      for (const { fire } of clock.timers) fire();
      await module.close();
      return fakes.records.filter(({ message }) => message.startsWith('Nobody handles SIGTERM')).length;
    };
    expect(await warningsOf((fakes) => fakes.events.onSignal('SIGTERM', () => undefined))).toBe(0);
    expect(await warningsOf(() => undefined)).toBe(1);
  });
});

describe('configuration', () => {
  it('refuses wrong options with one error', async () => {
    const options = { name: 'x', retry: { jitter: 5 } };
    await expect(open([OperatorModule.forRoot(options)])).rejects.toMatchObject({
      code: 'OPERATOR_INVALID_OPTIONS',
      gaps: [expect.stringMatching(/^name /), expect.stringMatching(/^retry\.jitter /)],
    });
  });

  it('refuses an import without configuration', async () => {
    await expect(open([OperatorModule])).rejects.toBeInstanceOf(InvalidOptionsError);
  });

  it('takes options from a factory, a class and an existing provider', async () => {
    @Injectable()
    class Settings implements OperatorOptionsFactory {
      createOperatorOptions(): Promise<OperatorModuleOptions> {
        return Promise.resolve(moduleOptions);
      }
    }
    @Module({
      providers: [Settings, { provide: 'NAME', useValue: 'factory.example.com' }],
      exports: [Settings, 'NAME'],
    })
    class SettingsModule {}
    const names: string[] = [];
    for (const options of [
      { imports: [SettingsModule], inject: ['NAME'], useFactory: (name: string) => ({ ...moduleOptions, name }) },
      { useClass: Settings },
      { imports: [SettingsModule], useExisting: Settings },
    ]) {
      const module = await open([OperatorModule.forRootAsync({ ...options })]);
      names.push(module.get<ResolvedOptions>(OPERATOR_OPTIONS, { strict: false }).name);
      await module.close();
    }
    expect(names).toEqual(['factory.example.com', moduleOptions.name, moduleOptions.name]);
  });

  it('refuses async options that come from nowhere, or from two places', () => {
    expect(() => OperatorModule.forRootAsync({})).toThrow(/exactly one of useFactory, useClass and useExisting/);
    class Settings implements OperatorOptionsFactory {
      createOperatorOptions(): OperatorModuleOptions {
        return moduleOptions;
      }
    }
    expect(() => OperatorModule.forRootAsync({ useClass: Settings, useFactory: () => moduleOptions })).toThrow(
      InvalidOptionsError,
    );
  });

  it('refuses a second forRoot in one application, but not in another one', async () => {
    const twice = open([operatorModule(new OperatorFakes()), operatorModule(new OperatorFakes())]);
    await expect(twice).rejects.toBeInstanceOf(DuplicateOperatorModuleError);
    const one = await open([operatorModule(new OperatorFakes())]);
    const other = await Test.createTestingModule({ imports: [operatorModule(new OperatorFakes())] }).compile();
    expect(one.get(OperatorRef)).not.toBe(other.get(OperatorRef));
    await other.close();
  });

  it('may be imported in several places when it is the same dynamic module', async () => {
    const shared = operatorModule(new OperatorFakes());
    @Module({ imports: [shared], providers: [Handlers] })
    class One {}
    const module = await open([shared, One]);
    await module.init();
    expect(module.get(OperatorRef).getStatus().state).toBe('running');
  });

  it('refuses contradictory handlers at module init, with code 1 and a rejected done', async () => {
    @ResourceHandlers('pods')
    class Wrong {
      @OnCreate({ value: 1 })
      one(): void {}
      @OnCreate({ retries: -1 })
      two(): void {}
    }
    @Module({ providers: [Wrong] })
    class WrongFeature {}
    const fakes = new OperatorFakes();
    const module = await open([operatorModule(fakes), WrongFeature]);
    const ref = module.get(OperatorRef);
    await expect(module.init()).rejects.toMatchObject({
      code: 'OPERATOR_INVALID_HANDLERS',
      problems: [/Wrong\.one/, /Wrong\.two/].map((each) => expect.stringMatching(each) as string),
    });
    await expect(ref.done).rejects.toBeInstanceOf(InvalidHandlersError);
    await expect(ref.start()).rejects.toBeInstanceOf(InvalidHandlersError);
    expect(fakes.exit.codes).toEqual([1]);
    expect(fakes.engines).toEqual([]);
    forget();
  });

  it('leaves the code alone with crash: reject', async () => {
    @ResourceHandlers('pods')
    class Wrong {
      @OnCreate({ value: 1 })
      one(): void {}
    }
    const fakes = new OperatorFakes();
    opened = await Test.createTestingModule({
      imports: [operatorModule(fakes, { crash: 'reject' })],
      providers: [Wrong],
    }).compile();
    await expect(opened.init()).rejects.toBeInstanceOf(InvalidHandlersError);
    expect(fakes.exit.codes).toEqual([]);
    forget();
  });

  it('can be started from another provider before its own init', async () => {
    const fakes = new OperatorFakes();
    @Injectable()
    class Early implements OnModuleInit {
      constructor(@Inject(OperatorRef) private readonly ref: OperatorRef) {}
      async onModuleInit(): Promise<void> {
        await this.ref.start();
      }
    }
    @Module({ providers: [Early] })
    class EarlyModule {}
    const module = await open([operatorModule(fakes, { global: true, autoStart: false }), EarlyModule]);
    await module.init();
    expect(fakes.engine.calls).toEqual(['start']);
  });
});
