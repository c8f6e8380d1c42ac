import type { KubeClient } from 'nestjs-operator';
import { Widget } from '../support/kinds.js';

/** One operator's namespace, in which a scenario acts. */
export interface Stage {
  readonly admin: KubeClient;
  readonly namespace: string;
}

/** What happens to the objects of one scenario, by the moments of the run. Each moment ends in quiet. */
export interface Scenario {
  readonly name: string;
  /** For the page. */
  readonly happens: string;
  /** Where the two differ: what is right, and why. */
  readonly verdict: string;
  /** Objects, by names that begin with the scenario's. */
  readonly objects: readonly string[];
  /** While the operator runs; `objects` are made before. */
  readonly running?: (stage: Stage) => Promise<void>;
  /** Right before the operator is stopped. */
  readonly beforeStop?: (stage: Stage) => Promise<void>;
  /** While none runs. */
  readonly down?: (stage: Stage) => Promise<void>;
}

const ref = ({ namespace }: Stage, name: string) => ({ name, namespace });
const setN = (stage: Stage, name: string, n: number): Promise<unknown> =>
  stage.admin.patch(Widget, ref(stage, name), { spec: { n } });
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const scenarios: readonly Scenario[] = [
  {
    name: 'creation',
    happens: 'An object is made; its handler returns a result.',
    verdict: 'Ours merges results into `status` unless told otherwise; Kopf puts each below the name of its handler.',
    objects: ['creation'],
  },
  {
    name: 'update',
    happens: 'A field is changed three times, two seconds apart.',
    verdict: 'The same calls. Each change and each result is a write of its own in both.',
    objects: ['update'],
    async running(stage) {
      for (const n of [2, 3, 4]) {
        await setN(stage, 'update', n);
        // Faster changes may be merged, in both.
        await pause(2_000);
      }
    },
  },
  {
    name: 'two-handlers',
    happens: 'Of two handlers of one change, the second one fails twice.',
    verdict:
      'The same calls. Kopf writes the progress of handlers to the object before and after each attempt and takes it off again; ours writes one record when something has to be remembered.',
    objects: ['two-handlers'],
    running: async (stage) => void (await setN(stage, 'two-handlers', 2)),
  },
  {
    name: 'retries',
    happens: 'The handler of a creation fails twice, with a delay of a second.',
    verdict: 'The same calls, and fewer writes for the same reason: one per attempt.',
    objects: ['retries'],
  },
  {
    name: 'permanent',
    happens: 'The handler of a creation fails for good; then the object is changed.',
    verdict: 'The same. A failure for good counts as handled, and the next change begins anew.',
    objects: ['permanent'],
    running: async (stage) => void (await setN(stage, 'permanent', 2)),
  },
  {
    name: 'slow',
    happens: 'The object is changed while the handler of its creation, which takes four seconds, is at work.',
    verdict: 'The same calls: what changes meanwhile is handled afterwards, by what the handler saw.',
    objects: ['slow'],
  },
  {
    name: 'own-patch',
    happens: 'The handler of a creation changes a field that an update handler watches.',
    verdict:
      'The same calls here, since another handler watches the field. A handler that changes what it watches itself is not called for that with ours, as what it changed counts as seen; with Kopf it is.',
    objects: ['own-patch'],
  },
  {
    name: 'status-of-others',
    happens: 'Somebody else changes the status.',
    verdict: "The same: the status is nobody's wish.",
    objects: ['status-of-others'],
    running: async (stage) =>
      void (await stage.admin.patch(
        Widget,
        ref(stage, 'status-of-others'),
        { status: { seen: true } },
        { subresource: 'status' },
      )),
  },
  {
    name: 'restart',
    happens:
      'The operator is stopped while the second attempt of a creation is due in some seconds, and started again.',
    verdict: 'The same calls: the attempt and its time are remembered on the object.',
    objects: [],
    beforeStop: (stage) => make(stage, 'restart', 'restart'),
  },
  {
    name: 'downtime',
    happens: 'While no operator runs, one object is changed and another one is deleted.',
    verdict:
      'The same calls: what was handled last is on the object, and the finalizer holds what is deleted meanwhile.',
    objects: ['downtime-changed', 'downtime-deleted'],
    async down(stage) {
      await setN(stage, 'downtime-changed', 2);
      await stage.admin.delete(Widget, ref(stage, 'downtime-deleted'));
    },
  },
];

/** Makes an object of a scenario. */
export async function make({ admin, namespace }: Stage, scenario: string, name: string): Promise<void> {
  await admin.create(Widget, { metadata: { name, namespace, labels: { scenario } }, spec: { n: 1 } });
}

/** Makes all objects, in a moment of which the slow one is changed as well. */
export async function begin(stage: Stage): Promise<void> {
  for (const { name, objects } of scenarios) for (const object of objects) await make(stage, name, object);
  await pause(2_000);
  await setN(stage, 'slow', 2);
}
