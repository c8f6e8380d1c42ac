import { mkdtempSync, readFileSync, existsSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, type LogRecord } from '../../../src/engine/ports/index.js';
import { TerminationLogFile } from '../../../src/engine/supervision/termination-log.js';

describe('the termination log', () => {
  let folder: string;
  let records: LogRecord[];
  const logger = createLogger((record) => void records.push(record));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'termination-log-'));
    records = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is written where it exists', () => {
    const path = join(folder, 'log');
    writeFileSync(path, '');
    new TerminationLogFile(logger, path).write('OperatorFailedError: boo');
    expect(readFileSync(path, 'utf8')).toBe('OperatorFailedError: boo');
    expect(records).toEqual([]);
  });

  it('is not created where it does not', () => {
    const path = join(folder, 'log');
    new TerminationLogFile(logger, path).write('boo');
    expect(existsSync(path)).toBe(false);
    expect(records.map(({ level }) => level)).toEqual(['debug']);
  });

  it('gets both ends of a chain that is longer than the kubelet reads', () => {
    const path = join(folder, 'log');
    writeFileSync(path, '');
    new TerminationLogFile(logger, path).write(`head${'é'.repeat(5_000)}root cause`);
    const written = readFileSync(path);
    expect(written.length).toBeLessThanOrEqual(4_096);
    expect(written.toString()).toMatch(/^headé+�?\n\[…\]\n�?é+root cause$/);
  });

  it('only logs what goes wrong', () => {
    const path = join(folder, 'log');
    mkdirSync(path);
    new TerminationLogFile(logger, path).write('boo');
    expect(records.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'Writing the termination log failed'],
    ]);
  });
});
