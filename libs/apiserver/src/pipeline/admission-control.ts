import type { Identity } from '../access/identity.js';
import type { KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { DeleteOptions, WriteOptions } from './write-options.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A write as admission sees it. Its objects are shared and must not be changed. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly type: ResourceType;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** Empty where the name is still to be generated. */
  readonly name: string;
  /** In the kind of the request: a Scale for the scale subresource. Absent for DELETE. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly identity: Identity;
  readonly options: WriteOptions | DeleteOptions;
  /** When the request must be done, on the server's monotonic clock. */
  readonly deadline: number;
  /** Collects what webhooks warn of. */
  readonly warnings: string[];
}

/** Lets others look at writes, change and refuse them. Both answer undefined where nobody wants to see the write. */
export interface AdmissionControl {
  /** Whether anybody may want to see a write; where nobody does, nothing has to be made ready for it. */
  readonly active: boolean;
  /** Asked before defaults of the server's own and validation. Resolves with the object to go on with, or rejects. */
  mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined> | undefined;
  /** Asked last, before the object is stored. Rejects what is not allowed. */
  validate(attributes: AdmissionAttributes): Promise<void> | undefined;
}
