import { HandlerTimeoutError } from '../../../src/errors/handler-timeout.error.js';
import { FatalError } from '../../../src/errors/fatal.error.js';
import { PermanentError } from '../../../src/errors/permanent.error.js';
import { TemporaryError } from '../../../src/errors/temporary.error.js';
import { ApiError } from '../../../src/errors/api.error.js';
import type { ApiClient } from '../../../src/engine/client/api-client.js';
import { wait } from '../../../src/engine/client/wait.js';
import type { HandlerContext } from '../../../src/engine/handling/handler-context.js';
import type {
  ActivityContext,
  ActivityDefinition,
  HandlerDefinition,
  HandlerInvoker,
} from '../../../src/engine/handling/handler-definition.js';
import type { Call, CallLedger } from '../invariants/call-ledger.js';
import type { ProcessClock } from '../world/process-clock.js';
import type { SeededRandom } from '../world/seeded-random.js';
import { revOf } from './digest.js';
import { giveUpAfterOf, limits, plainBackoff } from './handlers.js';
import { gadgetType, widgetType } from './names.js';
import type { HandlerId, Scenario } from './scenario.js';

export interface SimulatedHandlersOptions {
  readonly life: number;
  readonly scenario: Scenario;
  readonly random: SeededRandom;
  readonly clock: ProcessClock;
  readonly ledger: CallLedger;
  readonly client: () => ApiClient;
  /** Nothing goes wrong any more. */
  readonly calm: () => boolean;
  /** The process is no more. */
  readonly gone: () => boolean;
}

type Seen = Parameters<typeof revOf>[0];

/** The user's side of the operator: handlers that take their time, fail, and do what handlers do. */
export class SimulatedHandlers implements HandlerInvoker {
  constructor(private readonly options: SimulatedHandlersOptions) {}

  async invoke({ id }: HandlerDefinition, ctx: HandlerContext): Promise<unknown> {
    if (id === 'children') return { [ctx.meta.uid]: ctx.key };
    if (id === 'byState') return { [ctx.key]: `${ctx.meta.uid} ${ctx.meta.resourceVersion}` };
    return this.#call(id as HandlerId, id, ctx, () => this.#act(id as HandlerId, ctx));
  }

  async invokeActivity(_activity: ActivityDefinition, { signal }: ActivityContext): Promise<unknown> {
    await this.#work(signal);
    return undefined;
  }

  async #call(id: HandlerId, name: string, ctx: HandlerContext, act: () => Promise<unknown>): Promise<unknown> {
    const { ledger, life, gone } = this.options;
    if (gone()) return new Promise(() => undefined);
    const call = ledger.begin(life, name, ctx);
    try {
      const value = await act();
      ledger.end(call, 'success');
      return value;
    } catch (error) {
      ledger.end(call, this.#endBy(id, call, ctx, error));
      throw error;
    }
  }

  #endBy(id: HandlerId, call: Call, ctx: HandlerContext, error: unknown): 'failed' | 'final' | 'interrupted' {
    // Whatever it throws then, it has failed by its timeout.
    const late = ctx.signal.reason instanceof HandlerTimeoutError;
    if (ctx.signal.aborted && !late) return 'interrupted';
    // It ends the operator before anything is noted of it.
    if (error instanceof FatalError && !late) return 'interrupted';
    if (error instanceof PermanentError && !late) return 'final';
    const limit = limits[id];
    if (limit !== undefined && call.retry + 1 >= limit) return 'final';
    const giveUpAfter = giveUpAfterOf(id, this.options.scenario);
    if (giveUpAfter === undefined) return 'failed';
    const delay = error instanceof TemporaryError && !late ? Number(error.delay) : plainBackoff;
    return ctx.runtime + delay > giveUpAfter ? 'final' : 'failed';
  }

  async #act(id: HandlerId, ctx: HandlerContext): Promise<unknown> {
    switch (id) {
      case 'guard':
        return this.#guard(ctx);
      case 'seen':
        await this.#work(ctx.signal);
        return undefined;
      case 'tick':
      case 'greet':
      case 'remove':
      case 'renew':
        await this.#work(ctx.signal);
        this.#mayFail();
        return undefined;
      case 'ensure':
        await this.#work(ctx.signal);
        this.#mayFail();
        return { ensured: revOf(ctx.object as Seen) };
      case 'sized':
        await this.#work(ctx.signal);
        this.#mayFail();
        return { sized: (ctx.spec as { size?: number }).size ?? null };
      case 'append':
        return this.#append(ctx);
      case 'parts':
        return this.#planParts(ctx);
      case 'level':
        return this.#level(ctx);
      case 'byState':
        return undefined;
    }
  }

  async #append(ctx: HandlerContext): Promise<void> {
    const tag = `h${revOf(ctx.object as Seen)}`;
    ctx.patch.update((object) => {
      const spec = object['spec'] as { items?: string[] };
      const items = spec.items ?? [];
      if (!items.includes(tag)) spec.items = [...items.filter((item) => !item.startsWith('h')), tag];
    });
    await this.#work(ctx.signal);
    this.#mayFail();
  }

  async #planParts(ctx: HandlerContext): Promise<void> {
    await this.#work(ctx.signal);
    for (const name of ['one', 'two']) {
      ctx.parts.add(name, (part) =>
        this.#call('parts', `parts/${name}`, part, async () => {
          await this.#work(part.signal);
          this.#mayFail();
        }),
      );
    }
  }

  /** Keeps one child per object, whose content follows that of its parent. */
  async #level(ctx: HandlerContext): Promise<unknown> {
    await this.#work(ctx.signal);
    this.#mayFail();
    if (ctx.deleting) return undefined;
    const { name, namespace = 'default', uid } = ctx.meta;
    const { signal } = ctx;
    const rev = revOf(ctx.object as Seen);
    const collection = `/apis/sim.example/v1/namespaces/${namespace}/gadgets`;
    const client = this.options.client();
    const path = `${collection}/${name}`;
    const found = await this.#read(client, path, signal);
    if (found === undefined) {
      const owner = { ...widgetType, name, uid, controller: true };
      const metadata = { name, namespace, ownerReferences: [owner] };
      await client.request({
        verb: 'create',
        path: collection,
        body: { ...gadgetType, metadata, spec: { rev } },
        signal,
      });
    } else if (found.owner !== uid) {
      throw new TemporaryError('The child of a former object is still there', { delay: 500 });
    } else if (found.rev !== rev) {
      await client.request({ verb: 'patch', path, patchType: 'merge', body: { spec: { rev } }, signal });
    }
    return undefined;
  }

  async #read(
    client: ApiClient,
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly owner: string | undefined; readonly rev: number } | undefined> {
    try {
      const { body } = await client.request<Seen & { metadata: { ownerReferences?: Array<{ uid: string }> } }>({
        verb: 'get',
        path,
        signal,
      });
      return { owner: body.metadata.ownerReferences?.[0]?.uid, rev: revOf(body) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #guard(ctx: HandlerContext): Promise<void> {
    const { random, calm } = this.options;
    for (;;) {
      if (await ctx.stopped.wait(20_000)) break;
      if (!calm() && random.chance(0.1)) throw new Error('The simulated daemon failed');
      if (!calm() && random.chance(0.1)) return;
    }
    if (!calm() && random.chance(0.5)) await this.#pause(random.between(0, 2_000));
  }

  /** Takes its time; ends with its signal, unless it is deaf to it. */
  async #work(signal: AbortSignal): Promise<void> {
    const { random, scenario, clock, calm } = this.options;
    const time = calm() ? 5 : random.chance(0.3) ? 0 : random.between(0, scenario.slowest);
    if (time === 0) return;
    // Sometimes for longer than a stop may take.
    if (scenario.deaf && random.chance(0.05)) await this.#pause(40_000);
    else if (scenario.deaf && random.chance(0.5)) await this.#pause(Math.min(time, 8_000));
    else await wait(clock, time, signal);
  }

  #pause(time: number): Promise<void> {
    return new Promise((resolve) => {
      this.options.clock.setTimer(time, resolve);
    });
  }

  #mayFail(): void {
    const { random, scenario, calm } = this.options;
    if (calm() || !random.chance(scenario.failing)) return;
    const how = random.next();
    if (how < 0.1) throw new PermanentError('The simulated handler failed for good');
    if (how < 0.12) throw new FatalError('The simulated handler ends the operator');
    if (how < 0.5)
      throw new TemporaryError('The simulated handler wants another attempt', { delay: random.int(0, 20_000) });
    throw new Error('The simulated handler failed');
  }
}
