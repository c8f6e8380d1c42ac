import type { RouteAnswer, RouteHandler } from './health-routes.js';
import { watchName, type HealthReason, type OperatorHealth, type WatchReport } from './operator-health.js';

/**
 * Answers with 200 or 503 by one verdict: a word and the reasons against it; with `?verbose` everything, line by line; with
 * `?format=json`, or where JSON is accepted by name, as JSON.
 */
export function healthRoute(verdict: 'liveness' | 'readiness', getHealth: () => Promise<OperatorHealth>): RouteHandler {
  return async ({ query, accept }) => {
    const health = await getHealth();
    const asJson = query.get('format') === 'json' || accept.includes('application/json');
    const status = health[verdict].ok ? 200 : 503;
    if (asJson) return { status, type: 'application/json', body: `${JSON.stringify(health)}\n` };
    return text(status, query.has('verbose') ? everything(health, verdict) : brief(health, verdict));
  };
}

function text(status: number, lines: readonly string[]): RouteAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
}

function brief(health: OperatorHealth, verdict: 'liveness' | 'readiness'): string[] {
  const { ok, reasons } = health[verdict];
  return ok ? ['ok'] : [`not ok: ${[...new Set(reasons.map(({ reason }) => reason))].join(', ')}`];
}

function everything(health: OperatorHealth, verdict: 'liveness' | 'readiness'): string[] {
  const { state, paused, leadership, handlers, throttled, eventLoop, probes, watches } = health;
  return [
    ...brief(health, verdict),
    line(true, `state: ${state}${paused ? ', paused' : ''}`),
    ...(leadership.state === 'off' ? [] : [leadershipLine(leadership)]),
    ...verdictLines('liveness', health),
    ...verdictLines('readiness', health),
    ...watches.map(watchLine),
    line(
      handlers.stuck < handlers.limit,
      `handlers: ${handlers.running} running, ${handlers.stuck} stuck of ${handlers.limit}`,
    ),
    line(true, `objects: ${throttled} throttled`),
    line(eventLoop.late === 0, `event loop: ${eventLoop.lag} ms late, ${eventLoop.worst} ms at worst`),
    ...probes.map(({ id, ok, error, value }) => {
      const said = ok ? (value === undefined ? '' : `: ${JSON.stringify(value)}`) : `: ${error ?? 'failed'}`;
      return line(ok, `probe ${id}${said}`);
    }),
  ];
}

function verdictLines(name: 'liveness' | 'readiness', health: OperatorHealth): string[] {
  const { ok, reasons } = health[name];
  return ok ? [line(true, name)] : (reasons as readonly HealthReason[]).map((reason) => reasonLine(name, reason));
}

function reasonLine(name: string, { reason, subject, message }: HealthReason): string {
  return line(false, `${name}: ${reason}${subject === undefined ? '' : ` (${subject})`}: ${message}`);
}

function watchLine(watch: WatchReport): string {
  const age =
    watch.lastEventAge === undefined ? 'nothing received yet' : `last event ${seconds(watch.lastEventAge)} ago`;
  const out = watch.degradedFor === undefined ? '' : `, out of sync for ${seconds(watch.degradedFor)}`;
  const cause = watch.cause === undefined ? '' : `: ${watch.cause}`;
  const since = new Date(watch.since).toISOString();
  const ok = watch.synced && watch.degradedFor === undefined;
  return line(ok, `watch ${watchName(watch)}: ${watch.state} since ${since}, ${age}${out}${cause}`);
}

function leadershipLine({ state, lease, holder, failing }: OperatorHealth['leadership']): string {
  const held = holder === undefined ? '' : `, held by ${holder}`;
  const trouble = failing === undefined ? '' : `, failing: ${failing.message}`;
  return line(failing === undefined, `lease ${lease ?? ''}: ${state}${held}${trouble}`);
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1_000)} s`;
}

function line(ok: boolean, content: string): string {
  return `[${ok ? '+' : '-'}] ${content.replaceAll(/\s*[\r\n]+\s*/g, ' ')}`;
}
