import { eventColumns } from '../columns/event-columns.js';
import { coreEvent, eventsEvent, prepareEvent } from '../event-conversion.js';
import { coreEventCauses, newerEventCauses } from '../event-validation.js';
import type { ResourceRow } from '../resource-row.js';
import { storageOf } from '../resource-type.js';

const involved = (root: string): Record<string, string[]> =>
  Object.fromEntries(
    ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((part) => [
      `${root}.${part}`,
      ['involvedObject', part],
    ]),
  );

const events = {
  storage: storageOf('', 'events'),
  createOnUpdate: true,
  invalidAs: { group: '', kind: 'Event' },
  columns: eventColumns,
};

/** Events of both groups: one store, two shapes. */
export const eventRows: readonly ResourceRow[] = [
  {
    plural: 'events',
    kind: 'Event',
    short: ['ev'],
    ...events,
    fields: {
      ...involved('involvedObject'),
      reason: ['reason'],
      reportingComponent: ['reportingComponent'],
      source: ['source', 'component'],
      type: ['type'],
    },
    defaults: prepareEvent,
    causes: coreEventCauses,
  },
  {
    group: 'events.k8s.io',
    plural: 'events',
    kind: 'Event',
    short: ['ev'],
    ...events,
    fields: {
      ...involved('regarding'),
      reason: ['reason'],
      reportingController: ['reportingComponent'],
      type: ['type'],
    },
    causes: newerEventCauses,
    fromStorage: eventsEvent,
    toStorage: coreEvent,
  },
];
