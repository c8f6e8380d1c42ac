import {
  Catch,
  ForbiddenException,
  Injectable,
  Logger,
  Scope,
  UseFilters,
  UseGuards,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, BaseExceptionFilter } from '@nestjs/core';
import { of, throwError } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OnCreate } from '../../src/decorators/on-create.decorator.js';
import { OnStartup } from '../../src/decorators/on-startup.decorator.js';
import { Old } from '../../src/decorators/parameter.decorators.js';
import { ResourceHandlers } from '../../src/decorators/resource-handlers.decorator.js';
import { FatalError } from '../../src/errors/fatal.error.js';
import { HandlerTimeoutError } from '../../src/errors/handler-timeout.error.js';
import { ObjectSupersededError } from '../../src/errors/object-superseded.error.js';
import { OperatorStoppingError } from '../../src/errors/operator-stopping.error.js';
import { ParameterUnavailableError } from '../../src/errors/parameter-unavailable.error.js';
import { PermanentError } from '../../src/errors/permanent.error.js';
import { TemporaryError } from '../../src/errors/temporary.error.js';
import { isOperatorContext } from '../../src/invocation/operator-context.js';
import { contextOf, harness, type Harness } from './support/invoker-harness.js';

class QuotaExceeded extends Error {}

/** A handler that fails with `error`, and what filters make of it. */
async function failing(error: unknown, filters: ExceptionFilter[], asHandlerError?: (error: unknown) => unknown) {
  @ResourceHandlers('pods')
  class Handlers {
    @OnCreate(asHandlerError === undefined ? {} : { asHandlerError })
    @UseFilters(...filters)
    fail(): never {
      throw error;
    }
  }
  return harness({ providers: [Handlers] });
}

const outcomeOf = (tested: Harness, context = contextOf()): Promise<unknown> =>
  tested.invoke('fail', context).catch((error: unknown) => error);

describe('exception filters of a handler', () => {
  const original = new QuotaExceeded('No space is left.');

  it('see what the handler threw, in an operator context', async () => {
    const seen: unknown[] = [];
    const watching: ExceptionFilter = {
      catch: (error: unknown, host: ArgumentsHost) => {
        seen.push(error, host.getType(), isOperatorContext(host), host.getArgByIndex(0));
      },
    };
    const context = contextOf();
    expect(await outcomeOf(await failing(original, [watching]), context)).toBe(original);
    expect(seen).toEqual([original, 'operator', true, context]);
  });

  it.each([
    { what: 'nothing', returned: undefined },
    { what: 'null', returned: null },
    { what: 'a promise of nothing', returned: Promise.resolve() },
  ])('let the error go on when they return $what', async ({ returned }) => {
    expect(await outcomeOf(await failing(original, [{ catch: () => returned }]))).toBe(original);
  });

  it.each([
    { what: 'a value', returned: { phase: 'full' } },
    { what: 'a promise', returned: Promise.resolve({ phase: 'full' }) },
    { what: 'an observable', returned: of({ phase: 'full' }) },
  ])('make the result of the handler when they return $what', async ({ returned }) => {
    expect(await outcomeOf(await failing(original, [{ catch: () => returned }]))).toEqual({ phase: 'full' });
  });

  it.each([
    new TemporaryError('Later.', { delay: 5 }),
    new PermanentError('Never.'),
    new FatalError('The end.'),
    new Error('A domain error.', { cause: original }),
  ])('put $name in its place by throwing it', async (translated) => {
    const filter: ExceptionFilter = {
      catch: () => {
        throw translated;
      },
    };
    expect(await outcomeOf(await failing(original, [filter]))).toBe(translated);
    expect(await outcomeOf(await failing(original, [{ catch: () => throwError(() => translated) }]))).toBe(translated);
  });

  it('that fail themselves, as those for HTTP do, do not hide the error', async () => {
    const http: ExceptionFilter = {
      catch: (_error: unknown, host: ArgumentsHost) => {
        host.switchToHttp().getResponse<{ status(code: number): void }>().status(500);
      },
    };
    for (const filter of [http, new BaseExceptionFilter()]) {
      const outcome = (await outcomeOf(await failing(original, [filter]))) as AggregateError;
      expect(outcome).toBeInstanceOf(AggregateError);
      expect(outcome.errors).toEqual([original, expect.any(TypeError)]);
    }
  });

  it.each([
    new FatalError('The end.'),
    new HandlerTimeoutError('Handlers.fail', 5),
    new ObjectSupersededError('deleting'),
    new OperatorStoppingError('stop'),
    new ParameterUnavailableError('Old'),
  ])('never see $name', async (error) => {
    let asked = 0;
    expect(await outcomeOf(await failing(error, [{ catch: () => (asked += 1) }]))).toBe(error);
    expect(asked).toBe(0);
  });

  it('never see what the handler itself maps to a fatal error', async () => {
    let asked = 0;
    const swallow: ExceptionFilter = { catch: () => (asked += 1) };
    const map = (error: unknown): unknown => (error === original ? new FatalError('The end.') : error);
    expect(await outcomeOf(await failing(original, [swallow], map))).toBe(original);
    expect(asked).toBe(0);
    expect(await outcomeOf(await failing(new Error('Another.'), [swallow], map))).toBe(1);
  });

  it('are not asked once the call was told to end', async () => {
    let asked = 0;
    const aborted = new AbortController();
    aborted.abort(new OperatorStoppingError('stop'));
    const tested = await failing(original, [{ catch: () => (asked += 1) }]);
    expect(await outcomeOf(tested, contextOf('team-a', aborted.signal))).toBe(original);
    expect(asked).toBe(0);
  });

  it('see what guards, and parameters of the handler, refuse', async () => {
    @Catch(ForbiddenException)
    class Forbidding implements ExceptionFilter {
      catch(error: ForbiddenException): never {
        throw new PermanentError('Not allowed.', { cause: error });
      }
    }
    @ResourceHandlers('pods')
    @UseFilters(Forbidding)
    class Handlers {
      @OnCreate()
      @UseGuards({ canActivate: () => false })
      fail(): number {
        return 1;
      }
      @OnCreate()
      other(): never {
        throw original;
      }
    }
    const tested = await harness({ providers: [Handlers] });
    expect(await outcomeOf(tested)).toBeInstanceOf(PermanentError);
    await expect(tested.invoke('other')).rejects.toBe(original);
  });

  it('are asked nearest first, and one of them answers', async () => {
    const naming = (name: string): ExceptionFilter => ({ catch: () => name });
    @Catch(RangeError)
    class OfRanges implements ExceptionFilter {
      catch(): string {
        return 'method';
      }
    }
    @ResourceHandlers('pods')
    @UseFilters(naming('class'))
    class Handlers {
      @OnCreate()
      @UseFilters(OfRanges)
      range(): never {
        throw new RangeError('Out of range.');
      }
      @OnCreate()
      @UseFilters(OfRanges)
      fail(): never {
        throw original;
      }
    }
    @ResourceHandlers('services')
    class Bare {
      @OnCreate()
      bare(): never {
        throw original;
      }
    }
    const metadata = { providers: [Handlers, Bare, { provide: APP_FILTER, useValue: naming('global') }] };
    const local = await harness(metadata, true);
    expect([await local.invoke('range'), await local.invoke('fail')]).toEqual(['method', 'class']);
    await expect(local.invoke('bare')).rejects.toBe(original);
    const withGlobals = await harness(metadata, true, true);
    expect(await withGlobals.invoke('bare')).toBe('global');
    expect(await withGlobals.invoke('fail')).toBe('class');
  });

  it('of request scope are made for each call', async () => {
    let made = 0;
    @Injectable({ scope: Scope.REQUEST })
    class PerCall implements ExceptionFilter {
      readonly #number = (made += 1);
      catch(): string {
        return `filter ${this.#number}`;
      }
    }
    @ResourceHandlers('pods')
    @UseFilters(PerCall)
    class Handlers {
      @OnCreate()
      fail(): never {
        throw original;
      }
    }
    const tested = await harness({ providers: [Handlers] });
    expect([await outcomeOf(tested), await outcomeOf(tested)]).toEqual(['filter 1', 'filter 2']);
  });

  it('apply to activities, and to what a parameter decorator cannot give they are not asked', async () => {
    @ResourceHandlers('pods')
    @UseFilters({ catch: () => 'answered' })
    class Handlers {
      @OnStartup()
      prepare(): never {
        throw original;
      }
      @OnStartup()
      ask(@Old() old: unknown): unknown {
        return old;
      }
    }
    const tested = await harness({ providers: [Handlers] });
    const activity = { signal: new AbortController().signal, retry: 0 };
    expect(await tested.invokeActivity('prepare', activity)).toBe('answered');
    await expect(tested.invokeActivity('ask', activity)).rejects.toBeInstanceOf(ParameterUnavailableError);
  });

  it('add no line of Nest to the log', async () => {
    const error = vi.spyOn(Logger.prototype, 'error');
    onTestFinished(() => error.mockRestore());
    await outcomeOf(await failing(original, []));
    await outcomeOf(await failing(original, [{ catch: () => undefined }]));
    expect(error).not.toHaveBeenCalled();
  });
});
