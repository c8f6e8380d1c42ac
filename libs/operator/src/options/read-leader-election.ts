import { defaultConfig } from '../engine/defaults.js';
import { leastTimeForWrite, longestRetry, safeTime } from '../engine/leaderelection/election-config.js';
import type { LeaderElectionConfig } from '../engine/operator-config.js';
import { describe, OptionReader } from './option-reader.js';

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** `leaseDurationSeconds` is a number of 32 bits. */
const longestLease = (2 ** 31 - 1) * 1_000;

/** The option `leaderElection`: a flag, or a section. Gaps are noted in the reader. */
export function readLeaderElection(options: OptionReader): LeaderElectionConfig {
  const given = options.raw('leaderElection');
  if (typeof given === 'boolean') return Object.freeze({ ...defaultConfig.leaderElection, enabled: given });
  return readSection(options.section('leaderElection'));
}

function readSection(section: OptionReader): LeaderElectionConfig {
  const defaults = defaultConfig.leaderElection;
  const isGiven = section.raw('enabled') !== undefined;
  const leaseDuration = section.duration('leaseDuration', defaults.leaseDuration, { positive: true });
  const renewDeadline = section.duration('renewDeadline', defaults.renewDeadline, { positive: true });
  const retryPeriod = section.duration('retryPeriod', defaults.retryPeriod, { positive: true });
  checkTimes(section, { leaseDuration, renewDeadline, retryPeriod });
  const config: LeaderElectionConfig = {
    enabled: isGiven ? section.flag('enabled', false) : defaults.enabled,
    namespace: readText(section, 'namespace', 'the name of a namespace', (text) => label.test(text)),
    name: readText(section, 'name', 'a DNS subdomain, such as "volumes.example.com"', isSubdomain),
    identity: readText(
      section,
      'identity',
      'a text of 1 to 255 characters',
      (text) => text !== '' && text.length < 256,
    ),
    leaseDuration,
    renewDeadline,
    retryPeriod,
    onLost: section.choice('onLost', defaults.onLost, ['exit', 'standby']),
    warmStandby: section.flag('warmStandby', defaults.warmStandby),
  };
  section.end();
  return Object.freeze(config);
}

interface Times {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

function checkTimes(section: OptionReader, times: Times): void {
  const { leaseDuration, renewDeadline, retryPeriod } = times;
  if (leaseDuration < 1_000 || leaseDuration > longestLease) {
    section.gap('leaseDuration', 'must be at least one second, and fit into the seconds of a Lease (68 years)');
  }
  if (renewDeadline >= leaseDuration) {
    section.gap('renewDeadline', `must be shorter than leaseDuration (${leaseDuration} ms), not ${renewDeadline} ms`);
    return;
  }
  const safe = safeTime(times);
  if (retryPeriod * longestRetry >= safe) {
    const bound =
      safe === renewDeadline ? 'renewDeadline' : `leaseDuration less the ${leastTimeForWrite} ms that a write needs`;
    section.gap(
      'retryPeriod',
      `must leave time to try again: ${longestRetry} times it must be shorter than ${bound} (${safe} ms), not ${retryPeriod} ms`,
    );
  }
}

function readText(
  section: OptionReader,
  name: string,
  expected: string,
  accept: (text: string) => boolean,
): string | undefined {
  const value = section.raw(name);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && accept(value)) return value;
  section.gap(name, `must be ${expected}, not ${describe(value)}`);
  return undefined;
}

function isSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every((part) => label.test(part));
}
