import type { StoreEvent } from '../../../../apiserver/src/store/store-event.js';
import type { LogRecord } from '../../../src/engine/ports/index.js';
import { FaultPlan } from '../faults/fault-plan.js';
import type { FaultKind } from '../faults/fault.js';
import { CallLedger } from '../invariants/call-ledger.js';
import { openMatters } from '../invariants/settlement.js';
import type { Invariant, Violation } from '../invariants/violation.js';
import { finalizer, firstObjects, recordAnnotation, widgetStorage } from '../operator/names.js';
import { revOf } from '../operator/digest.js';
import { drawScenario, type Scenario } from '../operator/scenario.js';
import type { Coverage } from '../report/coverage.js';
import { Life } from './life.js';
import { lastMoment, type SentRequest, type TransportObserver } from './memory-transport.js';
import { Others } from './others.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedCluster } from './simulated-cluster.js';
import { SimulatedTime } from './simulated-time.js';

export interface RunResult {
  readonly seed: number;
  readonly violation: Violation | undefined;
  /** What happened, in order; only where it was asked for. */
  readonly trace: readonly string[];
  /** Two runs of a seed have the same. */
  readonly fingerprint: string;
}

export interface RunOptions {
  readonly seed: number;
  readonly traced?: boolean;
  readonly coverage?: Coverage;
}

/** A write of an object of the operator, on its way. */
interface SentWrite {
  readonly life: number;
  readonly key: string;
  /** Place in the order at which its content was put together at the latest. */
  readonly together: number;
}

/** Tells the stream of later additions from that of the seed itself. */
const laterDraws = 0x2545f491;

/** Longest time to come to rest, once nothing goes wrong any more: throttles and back-offs included. */
const patience = 60 * 60_000;
/** How long it has to stay quiet then. */
const quiet = 12 * 60_000;

/** Runs seed after seed on one cluster. */
export class Simulator {
  private constructor(private readonly cluster: SimulatedCluster) {}

  static async create(): Promise<Simulator> {
    return new Simulator(await SimulatedCluster.create(firstObjects));
  }

  run(options: RunOptions): Promise<RunResult> {
    return new Simulation(this.cluster, options).run();
  }
}

/** One run: the operator lives through faults and changes, which then cease, and everything has to come to its end. */
class Simulation implements TransportObserver {
  readonly #random: SeededRandom;
  readonly #time: SimulatedTime;
  readonly #scenario: Scenario;
  readonly #faults: FaultPlan;
  readonly #ledger: CallLedger;
  readonly #others: Others;
  readonly #trace: string[] = [];
  readonly #sent = new Map<SentRequest, SentWrite>();
  #violation: Violation | undefined;
  #life: Life | undefined;
  #lives = 0;
  #happened = 0;
  /** Requests other than watches since the world came to rest. */
  #requests: string[] | undefined;
  #crashAtWrite: { left: number; readonly when: 'sent' | 'applied' } | undefined;

  constructor(
    private readonly cluster: SimulatedCluster,
    private readonly options: RunOptions,
  ) {
    const random = new SeededRandom(options.seed);
    this.#random = random;
    this.#time = new SimulatedTime(() => cluster.isBusy);
    this.#scenario = drawScenario(random.fork(), new SeededRandom(options.seed ^ laterDraws));
    this.#faults = new FaultPlan(random.fork());
    this.#ledger = new CallLedger({
      scenario: this.#scenario,
      now: () => this.#time.now,
      violate: (invariant, found) => this.#violate(invariant, found),
      trace: (text) => this.#note(text),
    });
    cluster.begin({ time: this.#time, random: random.fork(), onEvent: (event) => this.#onEvent(event) });
    this.#others = new Others({
      scenario: this.#scenario,
      cluster,
      time: this.#time,
      random: random.fork(),
      trace: (text) => this.#note(text),
      interrupt: () => this.#interrupt(),
      knowsChild: (uid) => this.#life?.ended === undefined && this.#life?.indexes.get('children').has(uid) === true,
    });
  }

  async run(): Promise<RunResult> {
    this.#note(`scenario ${JSON.stringify(this.#scenario)} faults ${[...this.#faults.kinds].join()}`);
    this.#others.begin();
    this.#time.after(this.#random.between(0, 2_000), () => this.#beginLife());
    const planned = this.#planEnds();
    const failed = (): boolean => this.#violation !== undefined;
    await this.#time.runUntil(this.#scenario.chaos, failed);
    if (!failed()) await this.#comeToRest(failed);
    for (const timer of planned) timer.cancel();
    this.#finish();
    await this.#time.runUntil(this.#time.now);
    return {
      seed: this.options.seed,
      violation: this.#violation,
      trace: this.#trace,
      fingerprint: `${this.#happened} ${this.#time.now} ${this.cluster.context.store.revision} ${this.#random.drawn}`,
    };
  }

  async #comeToRest(failed: () => boolean): Promise<void> {
    this.#note('calm');
    this.#faults.cease();
    this.#crashAtWrite = undefined;
    await this.#others.end();
    const end = this.#time.now + patience;
    let open = this.#open();
    while (open.length > 0 && this.#time.now < end && !failed()) {
      await this.#time.runUntil(this.#time.now + 5_000, failed);
      if (this.#life === undefined || this.#life.ended !== undefined) this.#beginLife();
      open = this.#open();
    }
    if (failed()) return;
    const first = open[0];
    if (first !== undefined) {
      this.#violate(
        first.invariant,
        `still after ${patience / 60_000} min: ${open.map(({ found }) => found).join('; ')}`,
      );
      return;
    }
    // Until a watch that has fallen silent is noticed.
    await this.#time.runUntil(this.#time.now + 150_000, failed);
    this.#note('quiet');
    this.#requests = [];
    await this.#time.runUntil(this.#time.now + quiet, failed);
    if (failed()) return;
    if (this.#requests.length > 0) this.#violate('quiet at the end', this.#requests.slice(0, 5).join('; '));
    // Timers may be calling at this very moment, one after the other, and are slow at times.
    const last = this.#time.now + 600_000;
    while (this.#open().length > 0 && this.#time.now < last && !failed())
      await this.#time.runUntil(this.#time.now + 100, failed);
    const later = this.#open()[0];
    if (later !== undefined) this.#violate(later.invariant, `again after rest: ${later.found}`);
  }

  #open(): ReturnType<typeof openMatters> {
    if (this.#life === undefined) return [{ invariant: 'converges', found: 'there is no operator' }];
    return openMatters({ scenario: this.#scenario, cluster: this.cluster, ledger: this.#ledger, life: this.#life });
  }

  #finish(): void {
    for (const bug of this.cluster.bugs.splice(0)) {
      this.#violate('server intact', bug instanceof Error ? (bug.stack ?? bug.message) : String(bug));
    }
    this.#life?.crash();
    this.options.coverage?.ran(this.#ledger.calls, this.#ledger.repeats);
  }

  #beginLife(): void {
    if (this.#life !== undefined && this.#life.ended === undefined) return;
    this.#lives += 1;
    const number = this.#lives;
    this.#note(`life ${number}`);
    this.#life = new Life({
      number,
      scenario: this.#scenario,
      cluster: this.cluster,
      time: this.#time,
      random: this.#random.fork(),
      faults: this.#faults,
      ledger: this.#ledger,
      observer: this,
      onLog: (record) => this.#onLog(record),
      onMove: (machine, from, to) => this.options.coverage?.moved(machine, from, to),
    });
    // Told to stop before it has begun.
    if (!this.#faults.ceased && this.#faults.kinds.has('restart') && this.#random.chance(0.02)) {
      this.#restart();
      this.#life.start();
      return;
    }
    this.#life.start();
    this.#planCrashAtWrite();
  }

  /** Crashes and restarts of the time of faults. */
  #planEnds(): Array<{ cancel(): void }> {
    const random = this.#random.fork();
    const planned: Array<{ cancel(): void }> = [];
    for (const kind of ['crash', 'restart'] as const) {
      if (!this.#faults.kinds.has(kind)) continue;
      const times = random.int(0, 3);
      for (let index = 0; index < times; index += 1) {
        const at = random.between(0, this.#scenario.chaos);
        planned.push(this.#time.after(at, () => (kind === 'crash' ? this.#crash() : this.#restart())));
      }
    }
    return planned;
  }

  #planCrashAtWrite(): void {
    if (!this.#faults.kinds.has('crash') || this.#faults.ceased || !this.#random.chance(0.3)) return;
    this.#crashAtWrite = { left: this.#random.int(1, 12), when: this.#random.pick(['sent', 'applied'] as const) };
  }

  #crash(): void {
    const life = this.#life;
    if (life === undefined || life.ended !== undefined) return;
    this.#note('crash');
    this.options.coverage?.fault('crash');
    life.crash();
    this.#replaceSoon();
  }

  #restart(): void {
    const life = this.#life;
    if (life === undefined || life.ended !== undefined) return;
    this.#note('restart');
    this.options.coverage?.fault('restart');
    life.stop().then(
      () => this.#replaceSoon(),
      (error: unknown) => this.#violate('operator stays alive', `stop() rejects: ${String(error)}`),
    );
  }

  #replaceSoon(): void {
    this.#time.after(this.#random.between(lastMoment, 5_000), () => this.#beginLife());
  }

  #crashAfterWrite(when: 'sent' | 'applied'): void {
    const plan = this.#crashAtWrite;
    if (plan?.when !== when || this.#faults.ceased) return;
    plan.left -= 1;
    if (plan.left > 0) return;
    this.#crashAtWrite = undefined;
    // Not within the server's own work.
    this.#time.after(0, () => this.#crash());
  }

  #interrupt(): void {
    if (!this.#faults.kinds.has('cut') || !this.#faults.kinds.has('410')) return;
    const { hub, context } = this.cluster;
    for (const watch of hub.all()) {
      this.options.coverage?.fault('cut');
      watch.reset();
    }
    // After the deletion that follows.
    this.#time.after(0, () => context.store.compact());
  }

  onSent(request: SentRequest): void {
    const { method, path, target } = request;
    this.#note(`sent ${request.id} ${method} ${path}`);
    const key = method === 'PATCH' ? widgetKey(path) : undefined;
    if (this.#life !== undefined && key !== undefined) {
      const life = this.#life.number;
      this.#sent.set(request, { life, key, together: this.#ledger.writes(life, key) });
    }
    if (target.verb !== 'watch') this.#requests?.push(`${method} ${path}`);
    if (method !== 'GET') this.#crashAfterWrite('sent');
  }

  onApplied(request: SentRequest): void {
    this.#note(`applied ${request.id}`);
    this.#crashAfterWrite('applied');
  }

  onAnswered(request: SentRequest, status: number, body: string): void {
    this.#note(`answered ${request.id} ${status}`);
    const sent = this.#sent.get(request);
    this.#sent.delete(request);
    if (sent === undefined || status >= 300) return;
    const object = JSON.parse(body) as Parameters<typeof revOf>[0] & {
      metadata: { uid: string; resourceVersion: string };
    };
    const { metadata } = object;
    this.#ledger.wrote(sent.life, metadata.uid, Number(metadata.resourceVersion));
    if (request.body.includes(recordAnnotation)) this.#ledger.recorded(metadata.uid, revOf(object));
    if (request.body.includes(recordAnnotation) || request.body.includes('/metadata/finalizers')) {
      this.#ledger.acknowledge(sent.life, metadata.uid, sent.key, sent.together);
    }
  }

  onFault(kind: FaultKind, request: SentRequest): void {
    this.#note(`fault ${kind} ${request.id}`);
    this.options.coverage?.fault(kind);
  }

  /** Holds each write on the server against what must not happen there. */
  #onEvent(event: StoreEvent): void {
    this.#note(`stored ${event.type} ${event.resource} ${event.key} ${event.revision}`);
    if (event.resource !== widgetStorage || event.previous === undefined) return;
    const { previous, object } = event;
    const { metadata } = previous;
    const had = metadata.finalizers?.includes(finalizer) === true;
    const has = event.type !== 'DELETED' && object.metadata.finalizers?.includes(finalizer) === true;
    if (had && !has) {
      const last = this.#ledger.last('remove', metadata.uid ?? '');
      const done = last?.cause === 'delete' && (last.end === 'success' || last.end === 'final');
      const lost = last?.end === 'lost';
      if (metadata.deletionTimestamp === undefined) {
        this.#violate('deletions seen', `the finalizer of ${event.key} was removed without a deletion`);
      } else if (this.#scenario.handlers.includes('remove') && !done && !lost) {
        this.#violate('deletions seen', `the finalizer of ${event.key} was removed before its deletion handler ended`);
      }
    }
    if (event.type !== 'MODIFIED') return;
    const { annotations } = object.metadata;
    if (annotations?.[recordAnnotation] === undefined) this.#ledger.forget(metadata.uid ?? '');
    const items = new Set((object['spec'] as { items?: string[] } | undefined)?.items ?? []);
    for (const item of this.#others.items.get(metadata.uid ?? '') ?? []) {
      if (!items.has(item)) this.#violate('foreign changes kept', `${item} of ${event.key} was overwritten`);
    }
  }

  #onLog(record: LogRecord): void {
    const { level, message, fields } = record;
    if (level !== 'debug') this.#note(`log ${level} ${message} ${JSON.stringify(fields)} ${chainOf(record.error)}`);
    this.options.coverage?.log(message, fields);
    const { reason, handler, uid } = fields;
    if (reason === 'giveUpAfter' && this.#life !== undefined)
      this.#ledger.gaveUp(this.#life.number, String(handler).replace('Simulated.', ''), String(uid));
    if (message === 'Operator state changed' && fields['to'] === 'failed') this.#time.after(1, () => this.#onFailed());
  }

  /** Only a handler that asks for it ends the operator. */
  #onFailed(): void {
    const life = this.#life;
    if (life?.ended !== 'failed') return;
    const text = chainOf(life.failure);
    // Or one that is slow or deaf keeps a stop beyond its deadline, or a clean-up is cut short by that.
    const mayBeLate = this.#scenario.deaf || this.#scenario.stopDeadline !== undefined;
    const isLate = (mayBeLate && text.includes('deadline')) || text.includes('stop (clean-up)');
    const isMeant = text.includes('ends the operator') || isLate;
    if (!isMeant) this.#violate('operator stays alive', text);
    this.#note('failed');
    this.#replaceSoon();
  }

  #violate(invariant: Invariant, found: string): void {
    this.#note(`VIOLATION ${invariant}: ${found}`);
    this.#violation ??= { invariant, found, at: Math.round(this.#time.now) };
  }

  #note(text: string): void {
    this.#happened += 1;
    if (this.options.traced === true) this.#trace.push(`${this.#time.now.toFixed(3)} ${text}`);
  }
}

/** Namespace and name of the object that a request is about, if it is one of the operator's. */
function widgetKey(path: string): string | undefined {
  const [, namespace, name] = /\/namespaces\/([^/]+)\/widgets\/([^/?]+)/.exec(path) ?? [];
  return name === undefined ? undefined : `${namespace}/${name}`;
}

function chainOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) parts.push(at.message);
  return parts.join(' <- ');
}
