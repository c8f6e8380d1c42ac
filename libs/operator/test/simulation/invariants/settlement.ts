import type { KubeObject } from '../../../../apiserver/src/json.js';
import { digestFor, revOf } from '../operator/digest.js';
import { finalizer, gadgetType, operatorName, widgetStorage } from '../operator/names.js';
import type { HandlerId, Scenario } from '../operator/scenario.js';
import type { Life } from '../world/life.js';
import type { SimulatedCluster } from '../world/simulated-cluster.js';
import type { CallLedger } from './call-ledger.js';
import type { Invariant } from './violation.js';

export interface SettlementOptions {
  readonly scenario: Scenario;
  readonly cluster: SimulatedCluster;
  readonly ledger: CallLedger;
  readonly life: Life;
}

/** Something that is not yet as it has to be in the end, and the promise that is broken if it stays so. */
export interface Open {
  readonly invariant: Invariant;
  readonly found: string;
}

type Seen = Parameters<typeof digestFor>[1];

const changeHandlers: readonly HandlerId[] = ['ensure', 'sized', 'append', 'parts'];
/** What each of them calls for: the handler itself, and its parts. */
const callsOf: Readonly<Partial<Record<HandlerId, readonly string[]>>> = { parts: ['parts', 'parts/one', 'parts/two'] };

/** What keeps the world from being settled: the server, the operator's view of it and its handlers' work agree in the end. */
export function openMatters(options: SettlementOptions): Open[] {
  const objects = options.cluster.context.store.list(widgetStorage).map(({ object }) => object);
  return [
    ...openInOperator(options, objects),
    ...objects.flatMap((object) => openInObject(options, object)),
    ...openDeletions(options, objects),
  ];
}

function openInOperator({ life, ledger, scenario }: SettlementOptions, objects: readonly KubeObject[]): Open[] {
  const open: Open[] = [];
  const converges = (found: string): void => void open.push({ invariant: 'converges', found });
  if (life.ended !== undefined) {
    converges(`the operator has ${life.ended}`);
    return open;
  }
  const status = life.engine.getStatus();
  if (status.state !== 'running') converges(`the operator is ${status.state}`);
  for (const { resource, namespace = 'all', state, cause } of status.watches) {
    if (state !== 'watching') converges(`the watch of ${resource} in ${namespace} is ${state} ${cause ?? ''}`);
  }
  if (status.watches.length === 0) converges('there are no watches');
  if (status.due > 0) converges(`${status.due} keys are due or run`);
  if (status.throttled > 0) converges(`${status.throttled} objects are throttled`);
  const served = objects.filter(
    ({ metadata }) => scenario.namespaces === undefined || scenario.namespaces.includes(metadata.namespace ?? ''),
  );
  const known = status.objects['widgets.v1.sim.example'] ?? 0;
  if (known !== served.length) converges(`the store holds ${known} objects of ${served.length}`);
  if (scenario.handlers.includes('byState')) {
    const index = life.indexes.get('byState');
    const shown = [...index].map(([key, values]) => `${key} ${values.join()}`).toSorted();
    const real = served
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`)
      .toSorted();
    if (shown.join() !== real.join()) {
      open.push({ invariant: 'no change lost', found: `the index shows ${shown.join()}; there is ${real.join()}` });
    }
  }
  const daemons = scenario.handlers.includes('guard') ? countDaemons(ledger, life, objects) : 0;
  if (ledger.running !== daemons)
    converges(`${ledger.running} handlers run, ${daemons} of them daemons of living objects`);
  return open;
}

function countDaemons(ledger: CallLedger, life: Life, objects: readonly KubeObject[]): number {
  return objects.reduce((sum, { metadata }) => sum + ledger.runningOf('guard', metadata.uid ?? '', life.number), 0);
}

function openInObject(options: SettlementOptions, object: KubeObject): Open[] {
  const { scenario, ledger, life } = options;
  const { metadata } = object;
  const { uid = '', namespace = 'default', name = '' } = metadata;
  const key = `${namespace}/${name}`;
  if (metadata.deletionTimestamp !== undefined) {
    return [{ invariant: 'converges', found: `${key} is still being deleted` }];
  }
  if (metadata.annotations?.[`${operatorName}/paused`] !== undefined) return [];
  const open: Open[] = [];
  const lost = (found: string): void => void open.push({ invariant: 'no change lost', found: `${found} of ${key}` });
  for (const id of changeHandlers.filter((each) => scenario.handlers.includes(each))) {
    const digest = digestFor(id, object as Seen);
    for (const handler of callsOf[id] ?? [id]) {
      const last = ledger.last(handler, uid);
      const ended = last?.end === 'success' || last?.end === 'final';
      if (!ended) lost(`the last call of ${handler} has ended: ${last?.end ?? 'never'}`);
      else if (last.digest !== digest) lost(`${handler} has last seen ${last.digest}, not ${digest}`);
    }
  }
  if (scenario.handlers.includes('renew')) {
    const sight = ledger.sight(uid);
    const rev = revOf(object as Seen);
    const last = ledger.last('renew', uid);
    if (sight !== undefined && sight !== rev && last?.digest !== digestFor('renew', object as Seen))
      lost(`renew was not called for ${rev}, after ${sight} was recorded`);
    // What a process took with it, unrecorded, is the first sight's business.
    const known = last?.acknowledged === true || last?.life === life.number;
    if (known && (last.end === 'failed' || last.end === 'interrupted'))
      lost(`the last call of renew has ended: ${last.end}`);
  }
  const status = (object['status'] ?? {}) as Record<string, unknown>;
  if (scenario.handlers.includes('ensure') && ledger.last('ensure', uid)?.end === 'success') {
    if (status['ensured'] !== revOf(object as Seen))
      lost(`the status shows ${JSON.stringify(status['ensured'])}, not the result`);
  }
  if (scenario.handlers.includes('level')) open.push(...openInLevel(options, object, key));
  if (scenario.handlers.includes('seen')) {
    const told = ledger.told(life.number, uid);
    if (told?.digest !== digestFor('seen', object as Seen)) lost(`events have told ${told?.digest ?? 'nothing'}`);
  }
  if (scenario.handlers.includes('guard') && ledger.runningOf('guard', uid, life.number) !== 1) lost('no daemon runs');
  if (scenario.handlers.includes('tick') && ledger.last('tick', uid)?.life !== life.number) lost('no timer has called');
  if (
    (scenario.handlers.includes('remove') || scenario.handlers.includes('guard')) &&
    metadata.finalizers?.includes(finalizer) !== true
  ) {
    lost('the finalizer is missing');
  }
  return open;
}

function openInLevel({ ledger, cluster }: SettlementOptions, object: KubeObject, key: string): Open[] {
  const { uid = '' } = object.metadata;
  const open: Open[] = [];
  const lost = (found: string): void => void open.push({ invariant: 'no change lost', found: `${found} of ${key}` });
  const digest = digestFor('level', object as Seen);
  const last = ledger.last('level', uid);
  // What failed for good waits for a change.
  if (last?.end === 'final' && last.digest === digest) return [];
  if (last?.end !== 'success' || last.digest !== digest) lost('level has not seen the last state');
  const child = cluster.context.store.get('sim.example/gadgets', key);
  if (child?.metadata.ownerReferences?.[0]?.uid !== uid) lost(`there is no ${gadgetType.kind}`);
  else if (revOf(child as Seen) !== revOf(object as Seen)) lost(`the ${gadgetType.kind} is not as it has to be`);
  return open;
}

function openDeletions({ scenario, ledger, life }: SettlementOptions, objects: readonly KubeObject[]): Open[] {
  if (!scenario.handlers.includes('seen')) return [];
  const living = new Set(objects.map(({ metadata }) => metadata.uid));
  return ledger
    .toldOf(life.number)
    .filter((uid) => !living.has(uid) && ledger.told(life.number, uid)?.type !== 'DELETED')
    .map((uid) => ({ invariant: 'deletions seen', found: `events have not told the deletion of ${uid}` }));
}
