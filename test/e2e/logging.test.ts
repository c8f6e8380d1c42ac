import 'reflect-metadata';
import { Writable } from 'node:stream';
import { ConsoleLogger, Injectable, Logger, type LoggerService } from '@nestjs/common';
import { Logger as PinoAdapter, PinoLogger } from 'nestjs-pino';
import {
  currentOperatorContext,
  HandlerContext,
  OnCreate,
  OnStartup,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Widget } from '../support/kinds.js';
import { openWorld } from './trials/open-world.js';
import { ref } from './trials/widgets.js';

/** Far below the handler, and without any knowledge of it. */
@Injectable()
class Storage {
  readonly #logger = new Logger('Storage');

  async write(): Promise<void> {
    await Promise.resolve();
    this.#logger.log('Written');
    this.#logger.warn({ message: 'Slowly', took: 5 });
    this.#logger.error(new Error('Not all of it.'));
    this.#logger.error('With a stack', new Error('Below').stack);
  }
}

/** Lines that are logged while a handler fails once and then succeeds, and one from outside. */
async function linesOf(logger: LoggerService, lines: readonly string[]): Promise<readonly string[]> {
  const before = (Logger as unknown as { staticInstanceRef: LoggerService }).staticInstanceRef;
  const world = await openWorld();
  onTestFinished(() => Logger.overrideLogger(before));
  @ResourceHandlers(Widget)
  class Handlers {
    constructor(private readonly storage: Storage) {}
    @OnCreate()
    async ensure(ctx: HandlerContext<Widget>): Promise<void> {
      await this.storage.write();
      if (ctx.retry === 0) throw new TemporaryError('Later.', { delay: '1s' });
    }
  }
  await world.startOperator({ providers: [Handlers, Storage] });
  // As an application does that decides late.
  Logger.overrideLogger(logger);
  const { api } = world.stage;
  await api.create({ ...ref('one'), metadata: { name: 'one', namespace: 'default' }, spec: {} });
  await world.stage.settled();
  await world.pass(1_000);
  await world.stage.settled();
  new Logger('Outside').log('Outside of handlers');
  return lines;
}

/** What a process writes while the test runs. */
function written(): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      lines.push(
        ...String(chunk)
          .split('\n')
          .filter((line) => line !== ''),
      );
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  return lines;
}

const object = { handler: 'Handlers.ensure', resource: 'widgets.v1.demo.example', namespace: 'default', name: 'one' };

function parsed(lines: readonly string[]): Record<string, unknown>[] {
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
}

describe('a line of a Nest logger within a handler', () => {
  it('names object and attempt in the JSON console', async () => {
    const lines = parsed(await linesOf(new ConsoleLogger({ json: true }), written()));
    const own = lines.filter(({ context }) => context === 'Storage');
    expect(own).toHaveLength(8);
    for (const [index, line] of own.entries())
      expect(line['params']).toMatchObject({ ...object, attempt: index < 4 ? 1 : 2 });
    expect(own[0]).toMatchObject({ message: 'Written', level: 'log' });
    expect(own[2]).toMatchObject({ message: 'Not all of it.', error: { name: 'Error' } });
    expect(own[3]).toMatchObject({ message: 'With a stack', stack: expect.stringContaining('Error: Below') as string });
    expect(lines.find(({ message }) => message === 'Outside of handlers')).not.toHaveProperty('params');
  });

  it('names object and attempt in the text console', async () => {
    const lines = await linesOf(new ConsoleLogger({ colors: false }), written());
    const own = lines.filter((line) => line.includes('[Storage] Written'));
    const fields = 'handler=Handlers.ensure resource=widgets.v1.demo.example namespace=default name=one';
    expect(own.map((line) => /Written (.*attempt=\d)/.exec(line)?.[1])).toEqual([
      `${fields} attempt=1`,
      `${fields} attempt=2`,
    ]);
    expect(lines.filter((line) => line.includes('Outside of handlers'))).toEqual([
      expect.not.stringContaining('handler=') as string,
    ]);
  });

  it('names object and attempt in nestjs-pino', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(...chunk.toString('utf8').trim().split('\n'));
        done();
      },
    });
    const params = { pinoHttp: [{ level: 'debug' }, stream] as [object, Writable] };
    const all = parsed(await linesOf(new PinoAdapter(new PinoLogger(params), params), lines));
    const own = all.filter(({ context }) => context === 'Storage');
    expect(own).toHaveLength(8);
    for (const [index, line] of own.entries()) expect(line).toMatchObject({ ...object, attempt: index < 4 ? 1 : 2 });
    expect(own.slice(0, 4)).toMatchObject([
      { msg: 'Written' },
      { message: 'Slowly', took: 5 },
      { err: { message: 'Not all of it.' } },
      { msg: 'With a stack' },
    ]);
    expect(all.find(({ msg }) => msg === 'Outside of handlers')).not.toHaveProperty('handler');
  });

  it('comes from the same context that any code below a handler can ask for', async () => {
    const world = await openWorld();
    const seen: unknown[] = [];
    const ask = async (): Promise<void> => {
      await Promise.resolve();
      seen.push(currentOperatorContext());
    };
    @ResourceHandlers(Widget)
    class Handlers {
      @OnStartup()
      prepare(): Promise<void> {
        return ask();
      }
      @OnCreate()
      ensure(): Promise<void> {
        return ask();
      }
    }
    await world.startOperator({ providers: [Handlers] });
    await world.stage.api.create({ ...ref('one'), metadata: { name: 'one', namespace: 'default' }, spec: {} });
    await world.stage.settled();
    await ask();
    expect(seen).toEqual([{ handler: 'Handlers.prepare', attempt: 1 }, { ...object, attempt: 1 }, undefined]);
  });
});
