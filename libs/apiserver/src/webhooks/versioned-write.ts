import type { KubeObject } from '../json.js';
import type { AdmissionAttributes } from '../pipeline/admission-control.js';
import type { Representations } from '../pipeline/representations.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { VersionedWrite } from './admission-review.js';

/** The write as its request has it. */
export const asRequested = (attributes: AdmissionAttributes): VersionedWrite => ({
  attributes,
  type: attributes.type,
  object: attributes.object,
  oldObject: attributes.oldObject,
});

/** The write in another version of its resource. */
export async function inVersion(
  write: VersionedWrite,
  type: ResourceType,
  representations: Representations,
): Promise<VersionedWrite> {
  // A scale is the same kind in all versions.
  if (write.type === type || write.attributes.subresource === 'scale') return { ...write, type };
  const convert = async (object: KubeObject | undefined): Promise<KubeObject | undefined> =>
    object === undefined ? undefined : representations.convert(write.type, type, object);
  return {
    attributes: write.attributes,
    type,
    object: await convert(write.object),
    oldObject: await convert(write.oldObject),
  };
}
