import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countReports } from '../../scripts/count-reports.mjs';

interface Suite {
  readonly status?: 'passed' | 'failed';
  readonly tests?: readonly ('passed' | 'failed' | 'pending')[];
}

describe('the count of the reports', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'count-reports-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const report = (name: string, suites: readonly Suite[], success = true): void => {
    writeFileSync(
      join(folder, name),
      JSON.stringify({
        success,
        testResults: suites.map(({ status = 'passed', tests = [] }, index) => ({
          name: `suite-${index}`,
          status,
          assertionResults: tests.map((each) => ({ status: each })),
        })),
      }),
    );
  };
  const count = (...prefixes: string[]): { passed: number; failed: number } => {
    const { passed, failed, notes } = countReports(folder, prefixes);
    expect(notes.length).toBeLessThanOrEqual(failed);
    return { passed, failed };
  };

  it('adds up all reports of all prefixes, and nothing else', () => {
    report('test-all.json', [{ tests: ['passed', 'passed'] }]);
    report('cluster-new.json', [{ tests: ['passed'] }]);
    report('cluster-old.json', [{ tests: ['passed', 'pending'] }]);
    report('other.json', [{ tests: ['failed'] }], false);
    expect(count('test', 'cluster')).toEqual({ passed: 4, failed: 0 });
  });

  it('counts failed tests once, not their suite as well', () => {
    report('test-all.json', [{ status: 'failed', tests: ['passed', 'failed', 'failed'] }], false);
    expect(count('test')).toEqual({ passed: 1, failed: 2 });
  });

  it('counts a suite that failed to load as one failure', () => {
    report('test-all.json', [{ status: 'failed' }, { tests: ['passed'] }], false);
    expect(count('test')).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a suite whose hook failed after passing tests', () => {
    report('test-all.json', [{ status: 'failed', tests: ['passed'] }], false);
    expect(count('test')).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a run that failed without a failed test', () => {
    report('test-all.json', [{ tests: ['passed'] }], false);
    expect(count('test')).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a report without tests', () => {
    report('test-all.json', []);
    expect(count('test')).toEqual({ passed: 0, failed: 1 });
  });

  it('counts a report that is missing', () => {
    report('test-all.json', [{ tests: ['passed'] }]);
    expect(count('test', 'cluster')).toEqual({ passed: 1, failed: 1 });
  });

  it('counts a report that was cut off', () => {
    writeFileSync(join(folder, 'test-all.json'), '{"success":true,"testRes');
    expect(count('test')).toEqual({ passed: 0, failed: 1 });
  });

  it('counts a folder that is missing', () => {
    rmSync(folder, { recursive: true });
    expect(count('test', 'cluster')).toEqual({ passed: 0, failed: 2 });
  });
});
