import type { KubeObject } from '../json.js';
import type { ConversionCalls } from '../pipeline/representations.js';
import type { RandomSource } from '../random.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';
import type { WebhookClient } from './webhook-client.js';

export class ConversionWebhooks implements ConversionCalls {
  constructor(
    private readonly client: WebhookClient,
    private readonly random: RandomSource,
  ) {}

  convert(_type: ResourceType, _objects: readonly KubeObject[], _version: string): Promise<KubeObject[]> {
    void this.client;
    void this.random;
    return Promise.reject(errors.internal('conversion webhooks are not supported by this server'));
  }
}
