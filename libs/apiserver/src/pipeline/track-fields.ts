import type { KubeObject } from '../json.js';
import type { ServerContext } from './server-context.js';
import type { WriteRequest } from './write-request.js';

/** Records what a write changes, where managed fields are kept. */
export function trackFields(
  { fieldManagement }: ServerContext,
  { type, subresource, userAgent, options }: WriteRequest,
  live: KubeObject | undefined,
  next: KubeObject,
): void {
  fieldManagement?.update({
    type,
    subresource,
    live,
    next,
    manager: options.fieldManager ?? userAgent.split('/')[0]!,
  });
}
