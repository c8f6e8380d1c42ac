import type { ActivityDefinition, HandlerInvoker, ProbePolicy } from '../handling/handler-definition.js';
import type { HandlerRunner } from '../handling/handler-runner.js';
import type { Clock, Logger } from '../ports/index.js';

/** What a probe of the application said last. */
export interface ProbeResult {
  readonly id: string;
  readonly ok: boolean;
  /** Which verdict it speaks against when it fails. */
  readonly fails: ProbePolicy['fails'];
  /** What it returned, as JSON. */
  readonly value?: unknown;
  /** Why it failed. */
  readonly error?: string;
  /** When it was called, milliseconds since 1970. */
  readonly at: number;
}

export interface ProbeRunnerOptions {
  readonly activities: readonly ActivityDefinition[];
  readonly invoker: Pick<HandlerInvoker, 'invokeActivity'>;
  readonly runner: Pick<HandlerRunner, 'run'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Probe {
  readonly definition: ActivityDefinition;
  readonly policy: ProbePolicy;
  last: ProbeResult | undefined;
  /** Monotonic. */
  lastAt: number;
  /** The call that is being waited for. */
  running: Promise<ProbeResult> | undefined;
  /** A call that is over its time has not ended yet. */
  deaf: boolean;
}

/**
 * Calls the probes of the application when somebody asks for health, all at once, and none more often than its `maxAge`
 * says. An answer never waits longer than the longest `timeout`.
 */
export class ProbeRunner {
  readonly #options: ProbeRunnerOptions;
  readonly #probes: readonly Probe[];

  constructor(options: ProbeRunnerOptions) {
    this.#options = options;
    this.#probes = options.activities.flatMap((definition) => {
      const { probe: policy } = definition;
      if (policy === undefined) return [];
      return [{ definition, policy, last: undefined, lastAt: 0, running: undefined, deaf: false }];
    });
  }

  /** `call: false`: says what is known, without a call. */
  async results({ call }: { readonly call: boolean }): Promise<readonly ProbeResult[]> {
    if (!call) return this.#probes.flatMap(({ last }) => last ?? []);
    return Promise.all(this.#probes.map((probe) => this.#result(probe)));
  }

  #result(probe: Probe): Promise<ProbeResult> {
    if (probe.running !== undefined) return probe.running;
    const isFresh = this.#options.clock.monotonic() - probe.lastAt < probe.policy.maxAge;
    if (probe.last !== undefined && (probe.deaf || isFresh)) return Promise.resolve(probe.last);
    const running = this.#call(probe).then((result) => {
      probe.running = undefined;
      this.#tell(probe, result);
      probe.last = result;
      probe.lastAt = this.#options.clock.monotonic();
      return result;
    });
    probe.running = running;
    return running;
  }

  async #call(probe: Probe): Promise<ProbeResult> {
    const { clock, invoker, runner } = this.#options;
    const { definition, policy } = probe;
    const result = { id: definition.id, fails: policy.fails, at: clock.now() };
    const controller = new AbortController();
    const call = runner.run({
      origin: definition.origin,
      subject: 'probe',
      timeout: policy.timeout,
      controller,
      invoke: async () => invoker.invokeActivity(definition, { signal: controller.signal, retry: 0 }),
    });
    const late = Promise.withResolvers<'late'>();
    const timer = clock.setTimer(policy.timeout, () => late.resolve('late'), { background: true });
    const outcome = await Promise.race([call, late.promise]);
    timer.cancel();
    if (outcome === 'late') {
      probe.deaf = true;
      // Never rejects. Until it has ended, the probe is not called again.
      call.finally(() => (probe.deaf = false)).catch(() => undefined);
      return { ...result, ok: false, error: `The probe has not answered within ${policy.timeout} ms.` };
    }
    if (outcome.kind === 'success') return { ...result, ...asJson(outcome.value) };
    const error: unknown = outcome.kind === 'failure' ? outcome.error : outcome.reason;
    return { ...result, ok: false, error: error instanceof Error ? error.message : 'The probe threw no error.' };
  }

  #tell({ definition, last }: Probe, result: ProbeResult): void {
    const before = last?.ok ?? true;
    if (before === result.ok) return;
    const fields = { probe: definition.origin, fails: result.fails, error: result.error };
    this.#options.logger.log(result.ok ? 'info' : 'warn', result.ok ? 'Probe succeeds again' : 'Probe failed', fields);
  }
}

function asJson(value: unknown): { readonly ok: boolean; readonly value?: unknown; readonly error?: string } {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? { ok: true } : { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    // Neither cycles nor big integers can be shown: that is the probe's mistake, which its result tells.
    return { ok: false, error: 'What the probe returned is no JSON.' };
  }
}
