import { ConsoleLogger, Logger, type LoggerService } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createNestLogger } from '../../src/logging/nest-logger.js';

const secret = 'c2VjcmV0LXRva2Vu';

/** As client-node throws it: body and headers are properties, and repeated in the message. */
class ApiException extends Error {
  constructor(
    readonly code: number,
    readonly body: unknown,
    readonly headers: Record<string, string>,
  ) {
    super(`HTTP-Code: ${code}\nMessage: Forbidden\nBody: ${JSON.stringify(body)}\nHeaders: ${JSON.stringify(headers)}`);
  }

  override get name(): string {
    return 'ApiException';
  }
}

function failure(): Error {
  const root = new ApiException(403, { data: { token: secret } }, { authorization: secret });
  const middle = new TypeError('The claim was not created.', { cause: root });
  return new AggregateError([new Error('one'), new Error('two')], 'The cycle failed.', { cause: middle });
}

/** Each write of the console is one record, whatever its number of lines. */
function capture(): string[] {
  const writes: string[] = [];
  const write = (chunk: unknown): boolean => {
    writes.push(String(chunk));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(write);
  vi.spyOn(process.stderr, 'write').mockImplementation(write);
  return writes;
}

afterEach(() => {
  vi.restoreAllMocks();
  Logger.overrideLogger(new ConsoleLogger());
  Logger.detachBuffer();
});

const fields = {
  resource: 'pods.v1',
  key: 'team-a/one',
  attempt: 3,
  list: [1, 2],
  odd: 'with "blank"',
  none: undefined,
};

const text = (sink?: LoggerService): string[] => {
  const writes = capture();
  const logger = createNestLogger(sink).child('Worker', { operator: 'x' });
  logger.log('info', 'Handler succeeded', fields);
  logger.log('warn', 'Handler failed', fields, failure());
  logger.log('error', 'Operator failed', {}, failure());
  logger.log('debug', 'Nothing more');
  return writes;
};

describe('on a text console', () => {
  it.each([
    ['of the application', () => Logger.overrideLogger(new ConsoleLogger({ colors: false })), undefined],
    ['that is given', () => undefined, new ConsoleLogger({ colors: false })],
  ])('%s, each record is one write with fields and chain', (_what, prepare, sink) => {
    prepare();
    const writes = text(sink);
    expect(writes).toHaveLength(4);
    const [info = '', warn = '', error = '', debug = ''] = writes;
    expect(info).toContain(
      '[Worker] Handler succeeded operator=x resource=pods.v1 key=team-a/one attempt=3 list=[1,2] odd="with \\"blank\\""\n',
    );
    expect(warn.trimEnd()).not.toContain('\n');
    expect(warn).toContain('[Worker] Handler failed operator=x');
    expect(warn).toContain(
      'error="AggregateError: The cycle failed. (Error: one; Error: two) <- TypeError: The claim was not created. <- ApiException [403]: HTTP-Code: 403, Message: Forbidden"',
    );
    expect(error).toMatch(/\[Worker\] Operator failed operator=x error="AggregateError/);
    expect(error).toMatch(/\n +at .*nest-logger\.test/);
    expect(error).toContain('Caused by: TypeError: The claim was not created.');
    expect(debug).toMatch(/\[Worker\] Nothing more operator=x\n$/);
    expect(writes.join()).not.toContain(secret);
  });
});

/** Nest 12 has places for fields and errors beside the message; Nest 11 only takes them within it. */
function parts(line: string): Record<string, unknown> {
  const record = JSON.parse(line) as Record<string, unknown>;
  if (typeof record['message'] !== 'object') return record;
  const { message, error, ...params } = record['message'] as Record<string, unknown>;
  return { ...record, message, params, error };
}

describe('on a JSON console', () => {
  it('each record is one line, with message, fields and error apart', () => {
    Logger.overrideLogger(new ConsoleLogger({ json: true, colors: false }));
    const writes = text();
    expect(writes).toHaveLength(4);
    expect(writes.every((line) => line.trimEnd().split('\n').length === 1)).toBe(true);
    const records = writes.map((line) => parts(line));
    expect(records.map(({ level, context }) => [level, context])).toEqual([
      ['log', 'Worker'],
      ['warn', 'Worker'],
      ['error', 'Worker'],
      ['debug', 'Worker'],
    ]);
    expect(records[0]).toMatchObject({
      message: 'Handler succeeded',
      params: { operator: 'x', resource: 'pods.v1', key: 'team-a/one', attempt: 3, list: [1, 2] },
    });
    expect(records[1]).toMatchObject({
      message: 'Handler failed',
      error: {
        name: 'AggregateError',
        message: 'The cycle failed.',
        errors: [{ message: 'one' }, { message: 'two' }],
        cause: { name: 'TypeError', cause: { name: 'ApiException', code: 403 } },
      },
    });
    expect(writes.join()).not.toContain(secret);
  });

  it('each record is one line also where fields cannot stand beside the message', () => {
    const writes = text(new ConsoleLogger({ json: true, colors: false, structuredParams: false }));
    expect(writes).toHaveLength(4);
    expect(JSON.parse(writes[1] ?? '')).toMatchObject({
      level: 'warn',
      context: 'Worker',
      message: {
        message: 'Handler failed',
        key: 'team-a/one',
        error: { name: 'AggregateError', cause: { cause: { name: 'ApiException', code: 403 } } },
      },
    });
    expect(writes.join()).not.toContain(secret);
  });
});

describe('while the application buffers its logs', () => {
  it.each([
    ['text', new ConsoleLogger({ colors: false }), /Handler failed operator=x resource=pods\.v1/],
    ['JSON', new ConsoleLogger({ json: true }), /"message":\{"message":"Handler failed","operator":"x"/],
  ])('records come out whole on the %s console that it decides on', (_what, sink, expected) => {
    Logger.attachBuffer();
    const writes = text();
    expect(writes).toEqual([]);
    Logger.overrideLogger(sink);
    Logger.flush();
    expect(writes).toHaveLength(4);
    expect(writes[1]).toMatch(expected);
  });
});

describe('on another LoggerService', () => {
  it('each record is one call with an object of message, fields and error, and the context last', () => {
    const calls: unknown[][] = [];
    const method =
      (name: string) =>
      (...args: unknown[]): void =>
        void calls.push([name, ...args]);
    const sink = { log: method('log'), warn: method('warn'), error: method('error') };
    text(sink);
    expect(calls.map(([name, , context]) => [name, context])).toEqual([
      ['log', 'Worker'],
      ['warn', 'Worker'],
      ['error', 'Worker'],
    ]);
    const entry = calls[1]?.[1] as { readonly message: string; readonly err: Error; toString(): string };
    expect(entry.message).toBe('Handler failed');
    expect({ ...entry }).toMatchObject({ msg: 'Handler failed', operator: 'x', key: 'team-a/one' });
    expect(entry.err).toBeInstanceOf(Error);
    expect(entry.err.constructor).toBe(AggregateError);
    expect(((entry.err.cause as Error).cause as { code?: number }).code).toBe(403);
    expect(String(entry)).toContain('Handler failed operator=x');
    expect(JSON.stringify(entry)).not.toContain(secret);
    expect(JSON.stringify(Object.entries(entry.err))).not.toContain(secret);
  });

  it('says nothing where the application logs nothing', () => {
    Logger.overrideLogger(false);
    expect(text()).toEqual([]);
  });
});

describe('odd input', () => {
  it.each([
    ['a cycle of causes', () => Object.assign(new Error('a'), { cause: undefined as unknown })],
    ['a thrown text', () => 'thrown text'],
    ['a thrown object', () => ({ password: secret })],
    ['null', () => null],
  ])('%s is one record without what must not be seen', (_what, make) => {
    const error = make();
    if (error instanceof Error) error.cause = error;
    const writes = capture();
    const logger = createNestLogger(new ConsoleLogger({ colors: false }));
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    logger.log('error', 'Odd', { cyclic, big: 10n, message: 'field', msg: 'field', err: 'field' }, error);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toContain('Odd');
    expect(writes[0]?.length).toBeLessThan(4_000);
    expect(writes[0]).not.toContain(secret);
  });
});
