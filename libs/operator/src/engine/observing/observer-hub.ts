import type { EngineObserver } from '../engine-observer.js';
import type { Logger } from '../ports/index.js';

type Method = keyof EngineObserver;
type Within = Extract<Method, `within${string}`>;
type Fact = readonly unknown[];

interface Member {
  readonly name: string;
  readonly observer: EngineObserver;
  /** Methods that have thrown: told once. */
  readonly failed: Set<Method>;
}

/** Every method of the contract; a compile error when one is missing or unknown. */
const methods = Object.keys({
  onOperatorState: true,
  onSynced: true,
  onFailure: true,
  onLeadership: true,
  onResourceServed: true,
  onResourceLeft: true,
  onWatchState: true,
  onWatchRecovered: true,
  onWatchRestart: true,
  onWatchEvent: true,
  onObjectChange: true,
  onQueueState: true,
  onQueueAdd: true,
  onQueueWait: true,
  onQueueWork: true,
  onQueueRetry: true,
  onCycleState: true,
  onCycleStart: true,
  withinCycle: true,
  onCycleEnd: true,
  onThrottled: true,
  onUnthrottled: true,
  onHandlerStart: true,
  withinHandler: true,
  onHandlerStuck: true,
  onHandlerEnd: true,
  onRequestStart: true,
  withinRequest: true,
  onRequestEnd: true,
  onEventPosted: true,
  onEventDropped: true,
} satisfies Record<Method, true>) as readonly Method[];

/**
 * Several observers as one. They come and go at any time; the combined one has exactly the methods that somebody has, so that
 * what nobody asks for costs the engine one look at an absent property. An observer that throws is logged, once for each of
 * its methods, and disturbs neither the engine nor the others.
 */
export class ObserverHub {
  /** What the engine, and the client, tell. The same object for good. */
  readonly observer: EngineObserver = {};
  readonly #logger: Logger;
  #members: readonly Member[] = [];

  constructor(logger: Logger) {
    this.#logger = logger.child('Observer');
  }

  /** `name`: for the log, should it throw. Returns what takes it out again. */
  add(name: string, observer: EngineObserver): () => void {
    const member: Member = { name, observer, failed: new Set() };
    this.#set([...this.#members, member]);
    return () => this.#set(this.#members.filter((each) => each !== member));
  }

  #set(members: readonly Member[]): void {
    this.#members = members;
    const target = this.observer as Partial<Record<Method, (...fact: Fact) => void>>;
    for (const method of methods) {
      const those = members.filter(({ observer }) => observer[method] !== undefined);
      if (those.length === 0) delete target[method];
      else target[method] = isWithin(method) ? this.#within(method, those) : this.#on(method, those);
    }
  }

  #on(method: Method, members: readonly Member[]): (...fact: Fact) => void {
    const call = (member: Member, fact: Fact): void => {
      try {
        (member.observer[method] as (...fact: Fact) => void).apply(member.observer, fact as unknown[]);
      } catch (error) {
        this.#tell(member, method, error);
      }
    };
    const [only, ...others] = members;
    if (only !== undefined && others.length === 0) return (...fact) => call(only, fact);
    return (...fact) => {
      for (const member of members) call(member, fact);
    };
  }

  /** One context inside the other, the work innermost; it runs in any case. */
  #within(method: Within, members: readonly Member[]): (...fact: Fact) => void {
    return (fact, work) =>
      members.reduceRight<() => void>(
        (inner, member) => {
          return () => {
            let ran = false;
            const once = (): void => {
              if (ran) return;
              ran = true;
              inner();
            };
            try {
              (member.observer[method] as (fact: unknown, work: () => void) => void).call(member.observer, fact, once);
            } catch (error) {
              this.#tell(member, method, error);
            }
            once();
          };
        },
        work as () => void,
      )();
  }

  #tell({ name, failed }: Member, method: Method, error: unknown): void {
    const level = failed.has(method) ? 'debug' : 'warn';
    failed.add(method);
    this.#logger.log(level, 'An observer failed', { observer: name, method }, error);
  }
}

function isWithin(method: Method): method is Within {
  return method.startsWith('within');
}
