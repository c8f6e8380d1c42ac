import type { JsonObject, KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import { ageColumn, column, items, nameColumn, number, orNone, text, wide } from './cells.js';
import { age } from './human-duration.js';

interface PodState {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  readonly restarted: string | undefined;
}

const conditionOf = (pod: KubeObject, type: string): JsonObject | undefined =>
  items(pod, 'status', 'conditions').find((condition) => condition['type'] === type);

/** A container that goes on for as long as the pod, though it is among those that initialise it. */
const isSidecar = (container: JsonObject | undefined): boolean => container?.['restartPolicy'] === 'Always';

/** The later of two times. */
const later = (a: string | undefined, b: string): string | undefined =>
  b !== '' && (a === undefined || b > a) ? b : a;

const exitText = (terminated: unknown): string => {
  const signal = number(terminated, 'signal');
  return signal === 0 ? `ExitCode:${number(terminated, 'exitCode')}` : `Signal:${signal}`;
};

/** What kubectl says of a pod, read from its containers. */
function stateOf(pod: KubeObject): PodState {
  const { deletionTimestamp } = pod.metadata;
  const phase = text(pod, 'status', 'phase');
  let status = text(pod, 'status', 'reason') || phase;
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled?.['reason'] === 'SchedulingGated') status = 'SchedulingGated';
  const initial = items(pod, 'spec', 'initContainers');
  let total = items(pod, 'spec', 'containers').length;
  let restarts = 0;
  let ready = 0;
  let restarted: string | undefined;
  const sidecars = initial.filter(isSidecar);
  total += sidecars.length;
  let sidecarRestarts = 0;
  let initialising = false;
  for (const [index, state] of items(pod, 'status', 'initContainerStatuses').entries()) {
    const isLasting = isSidecar(initial.find(({ name }) => name === state['name']));
    restarts += number(state, 'restartCount');
    restarted = later(restarted, text(state, 'lastState', 'terminated', 'finishedAt'));
    if (isLasting) sidecarRestarts += number(state, 'restartCount');
    const terminated = (state['state'] as JsonObject | undefined)?.['terminated'];
    if (terminated !== undefined && number(terminated, 'exitCode') === 0) continue;
    if (isLasting && state['started'] === true) {
      if (state['ready'] === true) ready++;
      continue;
    }
    const waiting = text(state, 'state', 'waiting', 'reason');
    if (terminated !== undefined) status = `Init:${text(terminated, 'reason') || exitText(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') status = `Init:${waiting}`;
    else status = `Init:${index}/${initial.length}`;
    initialising = true;
    break;
  }
  if (!initialising || conditionOf(pod, 'Initialized')?.['status'] === 'True') {
    restarts = sidecarRestarts;
    let running = false;
    for (const state of items(pod, 'status', 'containerStatuses').toReversed()) {
      restarts += number(state, 'restartCount');
      restarted = later(restarted, text(state, 'lastState', 'terminated', 'finishedAt'));
      const waiting = text(state, 'state', 'waiting', 'reason');
      const { terminated, running: runs } = (state['state'] ?? {}) as JsonObject;
      if (waiting !== '') status = waiting;
      else if (terminated !== undefined) status = text(terminated, 'reason') || exitText(terminated);
      else if (state['ready'] === true && runs !== undefined) {
        running = true;
        ready++;
      }
    }
    if (status === 'Completed' && running) {
      status = conditionOf(pod, 'Ready')?.['status'] === 'True' ? 'Running' : 'NotReady';
    }
  }
  if (deletionTimestamp !== undefined) {
    if (text(pod, 'status', 'reason') === 'NodeLost') status = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') status = 'Terminating';
  }
  return { ready, total, status, restarts, restarted };
}

function gatesText(pod: KubeObject): string {
  const gates = items(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const passed = gates.filter((gate) => conditionOf(pod, text(gate, 'conditionType'))?.['status'] === 'True');
  return `${passed.length}/${gates.length}`;
}

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column('Ready', (pod) => {
    const { ready, total } = stateOf(pod);
    return `${ready}/${total}`;
  }),
  column('Status', (pod) => stateOf(pod).status),
  column('Restarts', (pod, now) => {
    const { restarts, restarted } = stateOf(pod);
    return restarts === 0 || restarted === undefined ? String(restarts) : `${restarts} (${age(restarted, now)} ago)`;
  }),
  ageColumn,
  wide('IP', (pod) => orNone(text(items(pod, 'status', 'podIPs')[0], 'ip'))),
  wide('Node', (pod) => orNone(text(pod, 'spec', 'nodeName'))),
  wide('Nominated Node', (pod) => orNone(text(pod, 'status', 'nominatedNodeName'))),
  wide('Readiness Gates', gatesText),
];

/** That a pod is over. */
export function podRowConditions(pod: KubeObject): JsonObject[] | undefined {
  const completed = { type: 'Completed', status: 'True' };
  switch (text(pod, 'status', 'phase')) {
    case 'Succeeded':
      return [{ ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' }];
    case 'Failed':
      return [{ ...completed, reason: 'Failed', message: 'The pod failed.' }];
    default:
      return undefined;
  }
}
