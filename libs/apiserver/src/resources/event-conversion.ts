import type { JsonObject, KubeObject } from '../json.js';

// Pairs of (core/v1, events.k8s.io/v1) names of the same field.
const renamed: readonly [core: string, events: string][] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** Fills in what a core/v1 event always shows. */
export function prepareEvent(object: JsonObject): void {
  object['source'] ??= {};
  object['reportingComponent'] ??= '';
  object['reportingInstance'] ??= '';
  for (const field of ['eventTime', 'firstTimestamp', 'lastTimestamp']) object[field] ??= null;
}

/** A stored (core/v1) event in the shape of events.k8s.io/v1. */
export function eventsEvent(object: KubeObject): KubeObject {
  const out: JsonObject = { ...object, apiVersion: 'events.k8s.io/v1' };
  for (const [core, events] of renamed) {
    if (out[core] !== undefined) out[events] = out[core];
    delete out[core];
  }
  for (const field of ['reportingController', 'reportingInstance']) if (out[field] === '') delete out[field];
  return out as KubeObject;
}

/** An events.k8s.io/v1 event in the stored (core/v1) shape. */
export function coreEvent(object: KubeObject): KubeObject {
  const out: JsonObject = { ...object, apiVersion: 'v1' };
  for (const [core, events] of renamed) {
    if (out[events] !== undefined) out[core] = out[events];
    delete out[events];
  }
  prepareEvent(out);
  return out as KubeObject;
}
