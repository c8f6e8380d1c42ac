import { Writable } from 'node:stream';
import { Logger, PinoLogger } from 'nestjs-pino';
import { expect, it } from 'vitest';
import { createNestLogger } from '../../src/logging/nest-logger.js';

it('gives nestjs-pino exactly one record each, with message, context, fields and the chain of causes', () => {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString('utf8').trim().split('\n'))
        lines.push(JSON.parse(line) as Record<string, unknown>);
      done();
    },
  });
  const params = { pinoHttp: [{ level: 'debug' }, stream] as [object, Writable] };
  const logger = createNestLogger(new Logger(new PinoLogger(params), params)).child('Worker', { resource: 'pods.v1' });

  logger.log('info', 'Handler succeeded', { key: 'team-a/one' });
  logger.log('warn', 'Handler failed', { attempt: 2 }, new Error('outer', { cause: new TypeError('inner') }));
  logger.log('error', 'Operator failed', {}, new Error('outer', { cause: new TypeError('inner') }));
  logger.log('debug', 'Nothing more');

  expect(lines.map(({ level }) => level)).toEqual([30, 40, 50, 20]);
  expect(lines.map(({ context }) => context)).toEqual(Array(4).fill('Worker'));
  const texts = lines.map((line) => JSON.stringify(line));
  for (const [index, parts] of [
    ['Handler succeeded', 'pods.v1', 'team-a/one'],
    ['Handler failed', 'outer', 'inner'],
    ['Operator failed', 'outer', 'inner'],
    ['Nothing more'],
  ].entries()) {
    for (const part of parts) expect(texts[index]).toContain(part);
  }
});
