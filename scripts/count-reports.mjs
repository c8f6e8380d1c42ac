// Adds up Vitest's JSON reports and prints one line, `N passed, N failed`.
//
// The arguments are the prefixes that must have a report. A suite that failed to load, a run that ended badly without a
// failed test (an error nobody handled), and a missing report each count as one failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string[]} prefixes
 */
export function countReports(folder, prefixes) {
  let passed = 0;
  let failed = 0;
  const notes = [];
  const note = (text) => {
    failed += 1;
    notes.push(text);
  };
  let names = [];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }

  for (const prefix of prefixes) {
    const reports = names.filter((name) => name.startsWith(`${prefix}-`) && name.endsWith('.json'));
    if (reports.length === 0) note(`no report ${prefix}-*.json: the run did not get as far as writing one`);
    for (const name of reports) {
      let report;
      try {
        report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      } catch (error) {
        note(`${name} cannot be read: ${error.message}`);
        continue;
      }
      const before = failed;
      let ran = 0;
      for (const suite of report.testResults) {
        const bad = suite.assertionResults.filter((test) => test.status === 'failed').length;
        const good = suite.assertionResults.filter((test) => test.status === 'passed').length;
        passed += good;
        failed += bad;
        ran += good + bad;
        if (suite.status === 'failed' && bad === 0) note(`${suite.name} failed outside its tests`);
      }
      if (ran === 0 && failed === before) note(`${name} holds no test`);
      if (report.success === false && failed === before) note(`${name} reports a failed run without a failed test`);
    }
  }
  return { passed, failed, notes };
}

if (import.meta.main) {
  const prefixes = process.argv.slice(2);
  if (prefixes.length === 0) throw new Error('usage: count-reports.mjs <prefix> …');
  const { passed, failed, notes } = countReports(join(import.meta.dirname, '..', 'reports'), prefixes);
  for (const line of notes) console.error(line);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
