import { defaultConfig } from '../engine/defaults.js';
import type { HealthServerConfig, OperatorConfig } from '../engine/operator-config.js';
import { describe, type OptionReader } from './option-reader.js';

/** The section `health` of the options. Gaps are noted in the reader. */
export function readHealth(health: OptionReader): OperatorConfig['health'] {
  const defaults = defaultConfig.health;
  const config = {
    degradedAfter: health.duration('degradedAfter', defaults.degradedAfter),
    maxLag: health.duration('maxLag', defaults.maxLag, { positive: true }),
    server: readServer(health) ?? defaults.server,
  };
  health.end();
  return Object.freeze(config);
}

function readServer(health: OptionReader): HealthServerConfig | undefined {
  const isPort = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 65_535;
  const isGiven = health.raw('port') !== undefined;
  const port = health.number('port', 0, isPort, 'a port, or 0 for any that is free');
  const host = health.raw('host');
  if (host !== undefined && (typeof host !== 'string' || host === '')) {
    health.gap('host', `must be an address of this machine, not ${describe(host)}`);
  }
  const paths = readPaths(health.section('paths'));
  if (isGiven) return { port, host: typeof host === 'string' ? host : undefined, paths };
  if (host !== undefined || health.raw('paths') !== undefined) {
    health.gap('port', 'is missing: without it nothing is served');
  }
  return undefined;
}

function readPaths(paths: OptionReader): HealthServerConfig['paths'] {
  const path = (name: string, fallback: string): string => {
    const value = paths.raw(name) ?? fallback;
    if (typeof value === 'string' && /^\/[\w./-]*$/.test(value)) return value;
    paths.gap(name, `must be a path such as "${fallback}", not ${describe(value)}`);
    return fallback;
  };
  const liveness = path('liveness', '/livez');
  const readiness = path('readiness', '/readyz');
  if (liveness === readiness) paths.gap('readiness', 'must differ from that of liveness');
  paths.end();
  return Object.freeze({ liveness, readiness });
}
