import { isDeepStrictEqual } from 'node:util';
import type { Answers } from './pair.js';

/** A kind of difference that is meant to be, or that costs more to mend than it is worth. */
export interface KnownDifference {
  readonly name: string;
  /** What a user will see, and why it is so. */
  readonly reason: string;
  /** The questions of a run without options need not come upon it. */
  readonly rare?: true;
  readonly covers: (answers: Answers) => boolean;
}

// Bodies are of any form.
// eslint-disable-next-line typescript/no-explicit-any
type Body = any;

const bodyOf = (answer: Answers['real']): Body => ('body' in answer ? answer.body : undefined);
const pathOf = ({ question }: Answers): string => question.path.split('?')[0]!.replaceAll(/\/+$/g, '');

/** Whether both answer with a document, and only what stands in it differs. */
const differInDocument = ({ embedded, real }: Answers): boolean =>
  embedded.status === 200 && real.status === 200 && isDeepStrictEqual(embedded.headers, real.headers);

/** Kinds of which the embedded server checks no more than the types of their fields. */
const unchecked = new Set(['Pod', 'Service', 'Deployment', 'Job', 'Node', 'NetworkPolicy']);

/** A body with one character for all bytes in a row that are none. */
const withoutBytes = (answer: Answers['real']): string | undefined =>
  JSON.stringify(bodyOf(answer))?.replaceAll(/(?:\\\\(?:x[89a-f][0-9a-f]|ufffd)|\ufffd)+/g, '\ufffd');

const fieldsIn = (answer: Answers['real']): string[] =>
  ((bodyOf(answer)?.details?.causes ?? []) as { field: string }[]).map(({ field }) => field).toSorted();

function withoutAddresses(answer: Answers['real']): unknown {
  const { spec, ...rest } = structuredClone(bodyOf(answer)) as Body;
  for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec?.[name];
  return { spec, ...rest };
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    name: 'groups that are not served',
    reason: 'The list of groups names those that the embedded server has; it is compared by a case of its own.',
    covers: (answers) => pathOf(answers) === '/apis' && differInDocument(answers),
  },
  {
    name: 'documents of OpenAPI',
    reason: 'They have no descriptions and fewer groups; what they say about types is compared by cases of their own.',
    covers: (answers) => pathOf(answers).startsWith('/openapi/v3') && differInDocument(answers),
  },
  {
    name: 'the build of the server',
    reason: 'The embedded server has no build to tell of.',
    covers: (answers) => pathOf(answers) === '/version' && differInDocument(answers),
  },
  {
    name: 'answers in protobuf',
    reason: 'There are none but refusals: a client that takes nothing else is told 406.',
    covers: ({ question, embedded, real }) =>
      embedded.status === 406 &&
      real.headers['content-type'] === 'application/vnd.kubernetes.protobuf' &&
      question.headers['accept'] === 'application/vnd.kubernetes.protobuf',
  },
  {
    name: 'texts in protobuf that are no UTF-8',
    reason: 'They are read with the replacement character, where the real server quotes their bytes.',
    covers: ({ question, embedded, real }) =>
      Buffer.isBuffer(question.body) &&
      embedded.status === real.status &&
      withoutBytes(embedded) === withoutBytes(real),
  },
  {
    name: 'the content of built-in kinds',
    reason: 'It is decoded and defaulted, but not validated: what the real server refuses by its meaning is stored.',
    covers: ({ embedded, real }) => {
      const { kind, causes } = bodyOf(real)?.details ?? {};
      if (real.status !== 422 || !unchecked.has(kind as string)) return false;
      if (!(causes as { field: string }[]).some(({ field }) => /^(spec|status|metadata\.taints)\b/.test(field)))
        return false;
      if (embedded.status !== 422) return embedded.status < 300 || bodyOf(embedded)?.reason === 'AlreadyExists';
      const found = (bodyOf(embedded)?.details?.causes ?? []) as Body[];
      return found.every((cause) => (causes as Body[]).some((other) => isDeepStrictEqual(cause, other)));
    },
  },
  {
    name: 'addresses of services',
    reason: 'The embedded server gives none, and finds nothing wrong with those that are asked for.',
    covers: ({ embedded, real }) => {
      if (bodyOf(real)?.details?.kind === 'Service')
        return embedded.status === 422 && /failed to allocate IP/.test(bodyOf(real)?.message as string);
      return bodyOf(real)?.kind === 'Service' && isDeepStrictEqual(withoutAddresses(embedded), withoutAddresses(real));
    },
  },
  {
    name: 'empty segments of a path',
    reason: 'They name nothing here, where the real server routes some of them, and refuses what it then finds.',
    covers: (answers) =>
      answers.question.path.split('?')[0]!.replaceAll(/%2f/gi, '/').includes('//') &&
      [403, 404, 405].includes(answers.embedded.status) &&
      answers.real.status >= 400,
  },
  {
    name: 'a patch that makes another kind of a scale',
    reason: 'It is refused as being none, where the real server reads it as what it says that it is.',
    covers: ({ question, embedded, real }) =>
      /\/scale(\?|$)/.test(question.path) &&
      [embedded, real].every((answer) => bodyOf(answer)?.details?.causes?.[0]?.field === 'patch') &&
      /no kind "\w*" is registered/.test(bodyOf(embedded)?.message as string),
  },
  {
    name: 'YAML that cannot be read',
    reason:
      'The words of refusals are those of the YAML library, which takes a few texts that the real server does not.',
    covers: ({ question, embedded, real }) =>
      /yaml/.test(question.headers['content-type'] ?? '') &&
      embedded.status === 400 &&
      real.status === 400 &&
      /\byaml: /.test(bodyOf(real)?.message as string),
  },
  {
    name: 'a body of another built-in kind',
    reason:
      'It is refused for its kind, where the real server may find before that it cannot be read as what it says it is.',
    covers: ({ embedded, real }) =>
      real.status === 400 &&
      /: unknown conversion$|^no kind is registered for the type v1.Scale /.test(bodyOf(embedded)?.message as string) &&
      /cannot be handled as a \w+: (json|proto|no kind)\b/.test(bodyOf(real)?.message as string),
  },
  {
    name: 'faults in an apply',
    reason:
      'Lists and members are gone through in another order, keys that are no texts are shown in another way, and managed fields are looked at first.',
    rare: true,
    covers: ({ question, embedded, real }) => {
      const [ours, theirs] = [embedded, real].map((answer) => String(bodyOf(answer)?.message));
      const subject = /^failed to create typed patch object \(.*?\): /;
      return (
        question.headers['content-type'] === 'application/apply-patch+yaml' &&
        real.status === 500 &&
        subject.test(theirs!) &&
        (ours === 'metadata.managedFields must be nil' || subject.exec(ours!)?.[0] === subject.exec(theirs!)![0])
      );
    },
  },
  {
    name: 'a strategic patch with several faults',
    rare: true,
    reason: 'Which one is told depends on the order of a map in the memory of the real server.',
    covers: ({ question, embedded, real }) =>
      question.headers['content-type'] === 'application/strategic-merge-patch+json' &&
      embedded.status === 500 &&
      real.status === 500,
  },
  {
    name: 'JSON of a patch that cannot be read',
    rare: true,
    reason: 'It is refused for its first fault, where the real server reads some of it in other ways.',
    covers: ({ question, embedded, real }) =>
      question.method === 'PATCH' &&
      real.status === 400 &&
      /^(error decoding patch: )?(invalid character|unexpected end of JSON)/.test(bodyOf(embedded)?.message as string),
  },
  {
    name: 'a path that is no UTF-8',
    reason: 'It names nothing here, where the real server takes its bytes as they are.',
    covers: ({ question, embedded, real }) => {
      const bytes = question.path.split('?')[0]!.match(/(?:%[89a-f][0-9a-f])+/gi) ?? [];
      const isBroken = (text: string): boolean =>
        Buffer.from(text.replaceAll('%', ''), 'hex').toString().includes('\ufffd');
      return bytes.some(isBroken) && embedded.status >= 400 && real.status >= 400;
    },
  },
  {
    name: 'protobuf that cannot be read',
    rare: true,
    reason:
      'It is refused for its first fault, where the real server looks at fields that it does not know in another order.',
    covers: ({ question, embedded, real }) =>
      Buffer.isBuffer(question.body) &&
      embedded.status === 400 &&
      real.status === 400 &&
      /: (unexpected EOF|proto: .*)$/.test(bodyOf(embedded)?.message as string) &&
      /: (unexpected EOF|proto: .*)$/.test(bodyOf(real)?.message as string),
  },
  {
    name: 'what is quoted of a strategic patch',
    rare: true,
    reason: 'The whole of it, where the real server has taken out of it what it has dealt with.',
    covers: ({ question, embedded, real }) => {
      const fault = (answer: Answers['real']): string => String(bodyOf(answer)?.message).split('": ').at(-1)!;
      return (
        question.headers['content-type'] === 'application/strategic-merge-patch+json' &&
        [embedded, real].every((answer) => bodyOf(answer)?.details?.causes?.[0]?.field === 'patch') &&
        fault(embedded) === fault(real)
      );
    },
  },
  {
    name: 'a deletion of a collection as of a version',
    rare: true,
    reason: 'The versions of the start are kept here, where the real server has compacted them or not.',
    covers: ({ question, embedded, real }) =>
      question.method === 'DELETE' &&
      /[?&]resourceVersion=/.test(question.path) &&
      embedded.status < 300 &&
      real.status === 410,
  },
  {
    name: 'what is said of schemas that are refused',
    reason:
      'A schema is refused for the first of its faults where the real server knows more, and is quoted without what is empty.',
    covers: ({ question, embedded, real }) =>
      question.area === 'definitions' &&
      embedded.status === 422 &&
      real.status === 422 &&
      bodyOf(embedded)?.reason === bodyOf(real)?.reason,
  },
  {
    name: 'schemas that are taken',
    reason:
      'A few rules of what is structural are not applied where a schema has members that mean nothing for its type.',
    covers: ({ question, embedded, real }) =>
      question.area === 'definitions' &&
      embedded.status === 201 &&
      real.status === 422 &&
      fieldsIn(real).every((field) => field.startsWith('spec.validation.openAPIV3Schema')),
  },
  {
    name: 'a watch in the form of lists',
    reason: 'Its events are sent as objects, where the real server finds that they are no lists and sends none.',
    covers: ({ question, embedded, real }) =>
      /[?&]watch=/.test(question.path) &&
      /as=PartialObjectMetadataList/.test(question.headers['accept'] ?? '') &&
      embedded.status === 200 &&
      real.status === 200,
  },
  {
    name: 'a failure of the real server',
    reason:
      'It breaks the connection off on a schema with both properties and additionalProperties, and on a JSON patch that replaces everything by nothing; both are refused here.',
    covers: ({ question, embedded, real }) =>
      real.status === 0 &&
      embedded.status === 422 &&
      (question.area === 'definitions' || question.headers['content-type'] === 'application/json-patch+json'),
  },
  {
    name: 'protobuf of a custom resource',
    rare: true,
    reason: 'It is refused for its media type, where the real server breaks the connection off.',
    covers: ({ question, embedded, real }) =>
      real.status === 0 &&
      embedded.status === 415 &&
      question.path.startsWith('/apis/example.com/') &&
      question.headers['content-type'] === 'application/vnd.kubernetes.protobuf',
  },
];
