import type { ObjectMeta } from '../engine/kube-object.js';

/**
 * Base of the classes that describe custom resources. It carries types only: objects reach handlers as plain JSON, no
 * instance of the class is ever made.
 *
 * `status` is optional, as an object has none until something writes it.
 */
export abstract class KubeObject<Spec = unknown, Status = unknown> {
  declare readonly apiVersion: string;
  declare readonly kind: string;
  declare readonly metadata: ObjectMeta;
  declare readonly spec: Spec;
  declare readonly status?: Status;
}
