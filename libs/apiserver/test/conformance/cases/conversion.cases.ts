import type { JsonObject } from '../../../src/index.js';
import { version } from '../definitions.js';
import { OwnDefinition } from '../own-definition.js';
import type { CaseBody, Session } from '../session.js';
import { hangUp, RawReply, WebhookReceiver, type Reply } from '../webhook-receiver.js';

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly (JsonObject & { readonly apiVersion: string; readonly spec?: JsonObject })[];
}

type Convert = (request: ConversionRequest) => JsonObject;

/** `size: 5` is `length: "5"` in the second version. */
const convertAll: Convert = ({ desiredAPIVersion, objects }) => ({
  result: { status: 'Success' },
  convertedObjects: objects.map((object) => convert(object, desiredAPIVersion)),
});

function convert(object: ConversionRequest['objects'][number], desired: string): JsonObject {
  const { size, length } = (object.spec ?? {}) as { size?: number; length?: string };
  const spec = desired.endsWith('/v2')
    ? { length: length ?? String(size ?? '') }
    : { size: size ?? Number(length ?? 0) };
  return { ...object, apiVersion: desired, spec };
}

/** A kind with two versions whose objects a webhook converts. */
class Converted {
  answer: Convert = convertAll;

  private constructor(
    readonly receiver: WebhookReceiver,
    readonly own: OwnDefinition,
  ) {}

  static async begin(s: Session): Promise<Converted> {
    const receiver = await WebhookReceiver.start();
    s.own(() => receiver.close());
    s.call(receiver.host, '<receiver>');
    s.call(receiver.caBundle, '<ca>');
    const conversion = {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: `https://${receiver.host}/convert`, caBundle: receiver.caBundle },
      },
    };
    const spec = (properties: JsonObject): JsonObject => ({ properties: { spec: { type: 'object', properties } } });
    const subresources = { status: {} };
    const own = OwnDefinition.of(
      s,
      [
        version('v1', spec({ size: { type: 'integer', maximum: 100 } }), { subresources }),
        version('v2', spec({ length: { type: 'string', maxLength: 5 } }), { subresources, storage: false }),
      ],
      { conversion },
    );
    const converted = new Converted(receiver, own);
    converted.reply((request) => converted.answer(request));
    await own.serve();
    return converted;
  }

  private reply(convert_: Convert): void {
    this.receiver.reply('/convert', ({ review }) => {
      const request = review.request as unknown as ConversionRequest;
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'ConversionReview',
        response: { uid: request.uid, ...convert_(request) },
      };
    });
  }

  raw(reply: () => Reply): void {
    this.receiver.reply('/convert', reply);
  }
}

/** Objects of kinds with several versions. */
export function addConversionCases(add: (name: string, run: CaseBody) => void): void {
  const sized = (properties: JsonObject): JsonObject => ({ properties: { spec: { type: 'object', properties } } });

  add('no conversion: objects change their version only', async (s) => {
    const own = await OwnDefinition.of(s, [
      version('v1', sized({ size: { type: 'integer' }, old: { type: 'string' } }), { subresources: { status: {} } }),
      version('v2', sized({ size: { type: 'integer', default: 7 }, fresh: { type: 'string' } }), { storage: false }),
    ]).serve();
    const { json } = await s.quietly('GET', own.objects());
    await s.post(own.objects(), own.thing({ size: 1, old: 'x', fresh: 'dropped' }));
    await s.get(`${own.objects('v2')}/a`);
    await s.post(own.objects('v2'), own.thing({ fresh: 'x' }, { name: 'b' }, 'v2'));
    await s.get(`${own.objects()}/b`);
    await s.get(own.objects());
    await s.get(own.objects('v2'));
    await s.patch('merge', `${own.objects('v2')}/a`, { spec: { fresh: 'y' } });
    await s.get(`${own.objects()}/a`);
    const { json: second } = await s.quietly('GET', `${own.objects('v2')}/b`);
    await s.put(`${own.objects()}/b`, { ...second, apiVersion: `${own.group}/v1` });
    await s.put(`${own.objects()}/b`, second);
    await s.get(`${own.objects('v2')}/a/status`);
    const watch = (served: string): Promise<unknown> =>
      s.watch(
        `${own.objects(served)}?watch=1&resourceVersion=${json.metadata.resourceVersion as string}&timeoutSeconds=5`,
        3,
      );
    await watch('v1');
    await watch('v2');
    await s.delete(`${own.objects('v2')}/a`);
  });
  add('conversion: what the webhook is sent', async (s) => {
    const { own, receiver } = await Converted.begin(s);
    await s.post(own.objects(), own.thing({ size: 5 }, { labels: { a: '1' } }));
    // The real server also converts for its cache, which must not be counted.
    await s.until(own.objects('v2'), ({ json }) => (json.items as unknown[]).length === 1);
    receiver.take();
    await s.get(`${own.objects('v2')}/a`);
    s.note(
      'reviews',
      receiver.take().map(({ path, query, method, headers, review }) => ({
        sent: `${method} ${path}${query}`,
        accept: headers.accept,
        contentType: headers['content-type'],
        review,
      })),
    );
    await s.get(`${own.objects()}/a`);
    s.note('reviews', receiver.take().length);
    await s.get(own.objects('v2'));
    await s.get(own.objects());
    await s.get(`${own.objects('v2')}?labelSelector=none%3D1`);
  });
  add('conversion: writes', async (s) => {
    const { own } = await Converted.begin(s);
    const path = `${own.objects('v2')}/a`;
    await s.post(own.objects('v2'), own.thing({ length: '5' }, {}, 'v2'));
    await s.get(`${own.objects()}/a`);
    await s.patch('merge', path, { spec: { length: '6' }, metadata: { labels: { a: '1' } } });
    await s.patch('json', path, [{ op: 'replace', path: '/spec/length', value: '7' }]);
    const { json } = await s.get(path);
    await s.put(path, { ...json, spec: { length: '8' } });
    await s.patch('merge', `${path}/status`, { metadata: { annotations: { a: '1' } } });
    await s.get(`${own.objects()}/a`);
    await s.post(own.objects('v2'), own.thing({ length: 'too long' }, { name: 'b' }, 'v2'));
    await s.post(own.objects('v2'), own.thing({ length: '999' }, { name: 'b' }, 'v2'));
    await s.delete(path);
  });
  add('conversion: watches', async (s) => {
    const { own } = await Converted.begin(s);
    const { json } = await s.quietly('GET', own.objects());
    await s.quietly('POST', own.objects(), own.thing({ size: 5 }));
    await s.quietly('PATCH', `${own.objects()}/a`, { spec: { size: 6 } }, 'application/merge-patch+json');
    await s.quietly('DELETE', `${own.objects()}/a`);
    await s.watch(
      `${own.objects('v2')}?watch=1&resourceVersion=${json.metadata.resourceVersion as string}&timeoutSeconds=5`,
      3,
    );
    await s.quietly('POST', own.objects(), own.thing({ size: 5 }));
    await s.watch(
      `${own.objects('v2')}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=5`,
      2,
    );
  });
  add('conversion: the webhook says no', async (s) => {
    const converted = await Converted.begin(s);
    const { own } = converted;
    // From the start, so that no cache of the server ever holds the object in the other version.
    converted.answer = () => ({ result: { status: 'Failure' } });
    await s.quietly('POST', own.objects(), own.thing({ size: 5 }));
    for (const result of [
      { status: 'Failure', message: 'cannot do it' },
      { status: 'Failure' },
      { status: 'Failure', message: 'gone', reason: 'NotFound', code: 404 },
      { status: 'Bogus' },
      {},
    ]) {
      converted.answer = () => ({ result });
      await s.get(`${own.objects('v2')}/a`);
    }
    await s.post(own.objects('v2'), own.thing({ length: '5' }, { name: 'b' }, 'v2'));
    await s.patch('merge', `${own.objects('v2')}/a`, { spec: { length: '6' } });
    await s.delete(`${own.objects('v2')}/a`);
    await s.get(own.objects());
  });
  add('conversion: the webhook is wrong', async (s) => {
    const converted = await Converted.begin(s);
    const { own } = converted;
    await s.quietly('POST', own.objects(), own.thing({ size: 5 }, { labels: { a: '1' }, annotations: { a: '1' } }));
    const changing =
      (change: (object: JsonObject & { metadata: JsonObject }) => JsonObject): Convert =>
      (request) => {
        const answer = convertAll(request) as { convertedObjects: (JsonObject & { metadata: JsonObject })[] };
        return { ...answer, convertedObjects: answer.convertedObjects.map(change) };
      };
    const metadata = (more: JsonObject): Convert =>
      changing((object) => ({ ...object, metadata: { ...object.metadata, ...more } }));
    const answers: Record<string, Convert> = {
      'another uid of the review': (request) => ({ ...convertAll(request), uid: 'other' }),
      'too few objects': (request) => ({ ...convertAll(request), convertedObjects: [] }),
      'too many objects': (request) => ({
        ...convertAll(request),
        convertedObjects: [...(convertAll(request)['convertedObjects'] as JsonObject[]), {}],
      }),
      'another version': changing((object) => ({ ...object, apiVersion: `${own.group}/v1` })),
      'another group': changing((object) => ({ ...object, apiVersion: 'other.example.com/v2' })),
      'another kind': changing((object) => ({ ...object, kind: 'Other' })),
      'no object': changing(() => null as unknown as JsonObject),
      'another name': metadata({ name: 'b' }),
      'another namespace': metadata({ namespace: 'other' }),
      'another uid': metadata({ uid: 'other' }),
      'another resourceVersion': metadata({ resourceVersion: '1' }),
      'another generation': metadata({ generation: 9 }),
      'no metadata': changing((object) => ({ ...object, metadata: undefined as never })),
      labels: metadata({ labels: { b: '2' } }),
      annotations: metadata({ annotations: { b: '2' } }),
      'labels that are none': metadata({ labels: { 'b a d': '2' } }),
      finalizers: metadata({ finalizers: ['x.example/a'] }),
      'unknown members': changing((object) => ({ ...object, spec: { length: '5', unknown: 1 }, other: 1 })),
      'what the schema refuses': changing((object) => ({ ...object, spec: { length: 7 } })),
      'no result': ({ objects }) => ({ convertedObjects: objects as unknown as JsonObject[] }),
    };
    for (const [name, answer] of Object.entries(answers)) {
      converted.answer = answer;
      s.note(name, null);
      await s.get(`${own.objects('v2')}/a`);
    }
  });
  add('conversion: the answer is none', async (s) => {
    const converted = await Converted.begin(s);
    const { own, receiver } = converted;
    await s.quietly('POST', own.objects(), own.thing({ size: 5 }));
    const ask = async (reply: () => Reply): Promise<void> => {
      converted.raw(reply);
      await s.get(`${own.objects('v2')}/a`);
    };
    await ask(() => new RawReply(200, 'hello'));
    await ask(() => new RawReply(200, ''));
    await ask(() => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }));
    await ask(() => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'Other' }));
    await ask(() => new RawReply(500, 'broken', { 'content-type': 'text/plain' }));
    await ask(() => new RawReply(404, 'not here', { 'content-type': 'text/plain' }));
    await ask(() => hangUp);
    await receiver.close();
    await s.get(`${own.objects('v2')}/a`);
    await s.get(`${own.objects()}/a`);
    await s.post(own.objects(), own.thing({ size: 5 }, { name: 'b' }));
    await s.post(own.objects('v2'), own.thing({ length: '5' }, { name: 'c' }, 'v2'));
  });
}
