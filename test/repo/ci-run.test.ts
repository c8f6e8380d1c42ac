import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from './source-files.js';

describe('.ci/run', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
    mkdirSync(join(folder, '.ci'));
    cpSync(join(root, '.ci/run'), join(folder, '.ci/run'));
    // Stands in for npm: writes down what was asked, and fails where the case wants it.
    mkdirSync(join(folder, 'bin'));
    writeFileSync(
      join(folder, 'bin/npm'),
      [
        '#!/bin/sh',
        'echo "$*" >> "$CALLS"',
        'if [ -t 0 ] || read -r _; then exit 9; fi',
        'case "$*" in *count-reports*) echo "$COUNTS" ;; esac',
        'case ",$FAILING," in *",$*,"*) exit 3 ;; esac',
      ].join('\n'),
    );
    chmodSync(join(folder, 'bin/npm'), 0o755);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (failing: readonly string[], counts = '7 passed, 0 failed') => {
    const calls = join(folder, 'calls');
    const { status, stdout } = spawnSync('bash', [join(folder, '.ci/run')], {
      cwd: tmpdir(),
      encoding: 'utf8',
      input: 'something that a prompt would take\n',
      env: {
        ...process.env,
        PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
        CALLS: calls,
        COUNTS: counts,
        FAILING: failing.join(','),
      },
    });
    return {
      status,
      last: stdout.trimEnd().split('\n').at(-1),
      calls: readFileSync(calls, 'utf8').trimEnd().split('\n'),
    };
  };

  const count = 'run --silent count-reports -- test cluster';
  const all = ['ci', 'run verify', 'test', 'run test:cluster', count];

  it('runs every step and ends with the count', () => {
    expect(run([])).toEqual({ status: 0, last: '7 passed, 0 failed', calls: all });
  });

  it.each(['ci', 'run verify'])('ends as one failure when `npm %s` fails', (step) => {
    expect(run([step])).toEqual({
      status: 1,
      last: '0 passed, 1 failed',
      calls: all.slice(0, all.indexOf(step) + 1),
    });
  });

  it.each(['test', 'run test:cluster'])('goes on to a whole count when `npm %s` fails', (step) => {
    expect(run([step, count], '5 passed, 2 failed')).toEqual({ status: 1, last: '5 passed, 2 failed', calls: all });
  });

  it('fails when a test command failed that the reports know nothing of', () => {
    expect(run(['test'])).toMatchObject({ status: 1, last: '7 passed, 0 failed' });
  });

  it('ends with a failure when there is no count', () => {
    expect(run([count], '')).toMatchObject({ status: 1, last: '0 passed, 1 failed' });
  });
});
