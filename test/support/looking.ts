import { ApiError, type KubeClient, type ObjectRef, type ResourceRef, type StoredObject } from 'nestjs-operator';
import type { World } from './world.js';

/** An event as `events.k8s.io/v1` has it. */
export interface PostedEvent extends StoredObject {
  readonly type: string;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly reportingController: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
  readonly regarding: { readonly kind: string; readonly name: string; readonly uid: string };
}

const events: ResourceRef<PostedEvent> = { apiVersion: 'events.k8s.io/v1', kind: 'Event' };

/** The object, or undefined when the server says that there is none. */
export async function find<T>(admin: KubeClient, resource: ResourceRef<T>, ref: ObjectRef): Promise<T | undefined> {
  try {
    return await admin.get(resource, ref);
  } catch (error) {
    if (error instanceof ApiError && error.isNotFound) return undefined;
    throw error;
  }
}

export async function isGone(admin: KubeClient, resource: ResourceRef, ref: ObjectRef): Promise<boolean> {
  return (await find(admin, resource, ref)) === undefined;
}

/** Events about objects of this name. Those about cluster-scoped objects are in `default`. */
export async function eventsAbout(world: World, name: string, namespace = world.namespace): Promise<PostedEvent[]> {
  const { items } = await world.admin.listPage(events, { namespace });
  return items.filter(({ regarding }) => regarding.name === name);
}
