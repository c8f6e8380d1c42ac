import type { CustomConversion } from '../custom/custom-version.js';
import { canonical, type KubeObject } from '../json.js';
import type { ConversionCalls } from '../pipeline/representations.js';
import { randomUuid, type RandomSource } from '../random.js';
import type { ResourceType } from '../resources/resource-type.js';
import { ApiError, errors } from '../status.js';
import { conversionReview, convertedObjects } from './conversion-review.js';
import { convertedObject } from './converted-object.js';
import type { WebhookClient } from './webhook-client.js';

const timeoutSeconds = 30;
/** How many objects a review has at most. */
const batch = 500;

/** Has objects of custom resources converted by the webhooks of their definitions. */
export class ConversionWebhooks implements ConversionCalls {
  constructor(
    private readonly client: WebhookClient,
    private readonly random: RandomSource,
  ) {}

  async convert(
    { group, custom }: ResourceType,
    objects: readonly KubeObject[],
    version: string,
  ): Promise<KubeObject[]> {
    const converted: KubeObject[] = [];
    for (let at = 0; at < objects.length; at += batch) {
      const part = objects.slice(at, at + batch);
      converted.push(...(await this.#convert(custom!.conversion!, part, `${group}/${version}`)));
    }
    return converted;
  }

  async #convert(
    { clientConfig: config, reviewVersion }: CustomConversion,
    objects: readonly KubeObject[],
    apiVersion: string,
  ): Promise<KubeObject[]> {
    const [first] = objects;
    const webhook = `conversion webhook for ${first!.apiVersion}, Kind=${first!.kind}`;
    const uid = randomUuid(this.random);
    // Revisions are of no concern to the webhook, and are not sent.
    const originals = objects.map((object) => canonical(withoutRevision(object)));
    const review = conversionReview(originals, apiVersion, uid, reviewVersion);
    let converted: unknown[];
    try {
      const answer = await this.client.call({ config, review, timeout: timeoutSeconds * 1000, timeoutSeconds });
      converted = convertedObjects(answer, uid, reviewVersion);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw errors.plain(`${webhook} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (converted.length !== objects.length) {
      throw errors.plain(`${webhook} returned ${converted.length} objects, expected ${objects.length}`);
    }
    return converted.map((object, index) => convertedObject(object, objects[index]!, apiVersion, index, webhook));
  }
}

function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}
