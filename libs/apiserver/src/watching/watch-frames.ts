import type { KubeObject } from '../json.js';
import type { Representations } from '../pipeline/representations.js';
import type { ResourceType } from '../resources/resource-type.js';
import { withRevision, type StoreEvent } from '../store/store.js';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** How a watch shows its objects. `key` tells forms apart whose bytes differ. */
export interface WatchForm {
  readonly key: string;
  /** The JSON of the object as this form shows it. */
  render(type: ResourceType, stored: KubeObject): string;
  /** The JSON of a bookmark's object. */
  bookmark(type: ResourceType, object: KubeObject): string;
}

/** Builds the lines of watches. A line is made once for all watches of one version and form. */
export class WatchFrames {
  readonly #lines = new WeakMap<StoreEvent, Map<string, Buffer>>();
  readonly #left = new WeakMap<StoreEvent, KubeObject>();

  constructor(readonly representations: Representations) {}

  /**
   * Has the objects of events converted that cannot be shown in the version of `type` yet; undefined when there is
   * nothing to do. `before` also asks for the states before the events.
   */
  fetch(type: ResourceType, events: readonly StoreEvent[], before: boolean): Promise<void> | undefined {
    if (type.custom?.conversion === undefined) return undefined;
    return this.representations.fetch(type, subjects(events, before));
  }

  /** Whether events can be shown without having anything converted before. */
  ready(type: ResourceType, events: readonly StoreEvent[], before: boolean): boolean {
    return type.custom?.conversion === undefined || this.representations.ready(type, subjects(events, before));
  }

  /** The line that tells of a store event as an event of `kind`. */
  line(event: StoreEvent, kind: WatchEventType, type: ResourceType, form: WatchForm): Buffer {
    let lines = this.#lines.get(event);
    if (lines === undefined) {
      lines = new Map();
      this.#lines.set(event, lines);
    }
    const key = `${kind} ${type.group} ${type.version} ${type.custom?.epoch ?? ''} ${form.key}`;
    let line = lines.get(key);
    if (line === undefined) {
      const subject = this.#subject(event, kind);
      if (subject !== event.object || event.type === 'DELETED') {
        this.representations.derive(type, subject, event.previous!);
      }
      line = eventLine(kind, form.render(type, subject));
      lines.set(key, line);
    }
    return line;
  }

  // An object that leaves a selection is shown as it was before, under the revision of the write that made it leave.
  #subject(event: StoreEvent, kind: WatchEventType): KubeObject {
    if (kind !== 'DELETED' || event.type === 'DELETED' || event.previous === undefined) return event.object;
    let left = this.#left.get(event);
    if (left === undefined) {
      left = withRevision(event.previous, event.revision);
      this.#left.set(event, left);
    }
    return left;
  }
}

export const eventLine = (type: string, json: string): Buffer => Buffer.from(`{"type":"${type}","object":${json}}\n`);

/** The objects that events show. */
function subjects(events: readonly StoreEvent[], before: boolean): KubeObject[] {
  const objects: KubeObject[] = [];
  for (const { type: kind, object, previous } of events) {
    if (kind !== 'DELETED') objects.push(object);
    if (previous !== undefined && (before || kind === 'DELETED')) objects.push(previous);
  }
  return objects;
}
