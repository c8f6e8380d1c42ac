import type { KubeClient, StoredObject } from 'nestjs-operator';
import { Widget } from '../support/kinds.js';
import type { Contender } from './contender.js';
import { begin, scenarios, type Scenario, type Stage } from './scenarios.js';

/** What one operator did in one scenario. */
export interface Outcome {
  /** Such as `create`, `update 1 to 2`, in order; of several objects one after the other. */
  readonly calls: readonly string[];
  /** Requests of the operator that change something, Kubernetes events aside. */
  readonly writes: number;
  /** What is left of each object. */
  readonly left: readonly string[];
}

/** Nothing was called or written for so long, in milliseconds. */
const quietFor = 4_000;
/** No moment is longer. */
const longest = 60_000;

/** Takes one operator through all scenarios at once: made, changed, stopped, changed meanwhile, started again. */
export async function runScenarios(contender: Contender, admin: KubeClient): Promise<ReadonlyMap<Scenario, Outcome>> {
  const stage: Stage = { admin, namespace: contender.namespace };
  const each = async (moment: 'running' | 'beforeStop' | 'down'): Promise<void> => {
    await Promise.all(scenarios.map(async (scenario) => scenario[moment]?.(stage)));
  };
  await contender.start();
  await begin(stage);
  await quiet(contender);
  await each('running');
  await quiet(contender);
  await each('beforeStop');
  await pause(3_000);
  await contender.stop();
  await each('down');
  await contender.start();
  // Longer than anything waits for its next attempt.
  await quiet(contender, 10_000);
  const objects: StoredObject[] = [];
  for await (const object of admin.list(Widget, { namespace: contender.namespace })) objects.push(object as never);
  const outcomes = new Map(scenarios.map((scenario) => [scenario, outcomeOf(scenario, contender, objects)]));
  await contender.stop();
  return outcomes;
}

function outcomeOf({ name }: Scenario, contender: Contender, objects: readonly StoredObject[]): Outcome {
  const isOwn = (object: string): boolean => object === name || (name === 'downtime' && object.startsWith('downtime-'));
  const calls = contender.calls.filter(([object]) => isOwn(object));
  const names = [...new Set(calls.map(([object]) => object))].toSorted();
  return {
    calls: names.flatMap((object) =>
      calls.filter(([other]) => other === object).map(([, what]) => (names.length === 1 ? what : `${object}: ${what}`)),
    ),
    writes: contender.proxy.writes.filter((write) => write.split('/').some(isOwn)).length,
    left: objects.filter(({ metadata }) => isOwn(metadata.name)).map(describeObject),
  };
}

/** Status, finalizers, and what the operator keeps in annotations. */
function describeObject(object: StoredObject): string {
  const { annotations = {}, finalizers = [] } = object.metadata;
  const status = JSON.stringify((object as { readonly status?: unknown }).status ?? {});
  const count = Object.keys(annotations).length;
  return [
    `status ${status}`,
    `${count} annotation${count === 1 ? '' : 's'}`,
    ...(finalizers.length > 0 ? ['a finalizer'] : []),
  ].join(', ');
}

async function quiet(contender: Contender, milliseconds = quietFor): Promise<void> {
  const begun = performance.now();
  let last = begun;
  let seen = -1;
  while (performance.now() - last < milliseconds) {
    if (performance.now() - begun > longest) throw new Error('The operator does not come to rest.');
    await pause(100);
    const now = contender.calls.length + contender.proxy.writes.length;
    if (now !== seen) last = performance.now();
    seen = now;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
