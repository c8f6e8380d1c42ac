import { isDeepStrictEqual } from 'node:util';
import { parse as parseYaml } from 'yaml';
import {
  normalise,
  type Entry,
  type NormalAnswer,
  type NormalStream,
  type RawEntry,
} from '../conformance/normalise.js';
import type { FuzzClient, Reply } from './fuzz-client.js';
import { questionOf, type Question } from './question.js';

/** What two servers say to the same question, in the form that they have in common. */
export interface Answers {
  readonly question: Question;
  readonly embedded: NormalAnswer | NormalStream;
  readonly real: NormalAnswer | NormalStream;
}

export const agree = ({ embedded, real }: Answers): boolean => isDeepStrictEqual(embedded, real);

/** Two servers that are asked the same, one question after another. */
export class ServerPair {
  constructor(
    private readonly embedded: FuzzClient,
    private readonly real: FuzzClient,
  ) {}

  async ask(question: Question): Promise<Answers> {
    const ours = await this.embedded.ask(question);
    const lines = ours.left ? linesOf(ours).length : undefined;
    const theirs = await this.real.ask(question, lines).catch(lost);
    return { question, embedded: shownOf(question, ours, lines), real: shownOf(question, theirs, lines) };
  }

  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Answers> {
    return this.ask(
      questionOf('world', method, path, body === undefined ? undefined : JSON.stringify(body), contentType),
    );
  }
}

/** The real server ends the connection where it fails itself; that counts as an answer without a status. */
function lost(error: Error): Reply {
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'ECONNRESET') throw error;
  return { status: 0, headers: {}, text: '', left: false };
}

const linesOf = ({ text }: Reply): string[] => text.split('\n').slice(0, -1);

/** Names of the servers in what they have written themselves. */
const ownNames = [
  ['nestjs-operator-apiserver', '<server>'],
  ['kube-apiserver', '<server>'],
] as const;

function shownOf({ method, path, body }: Question, reply: Reply, lines = 0): NormalAnswer | NormalStream {
  const request = `${method} ${path}`;
  const isYaml = reply.headers['content-type'] === 'application/yaml' && reply.text !== '';
  const text = isYaml ? JSON.stringify(parseYaml(reply.text)) : reply.text;
  const raw: RawEntry = reply.left
    ? { request, answer: { ...reply, text: linesOf(reply).slice(0, lines).join('\n') }, end: 'left' }
    : { request, answer: { ...reply, text } };
  const entry: Entry = normalise([raw], new Map([...ownNames, ...madeUp(body, reply)]))[0]!;
  return 'answer' in entry ? entry.answer : (entry as { stream: NormalStream }).stream;
}

/** The name that a server has made of the one that was sent. */
function madeUp(body: Question['body'], { text }: Reply): [string, string][] {
  const base = /"generateName":"([^"\\]+)"/.exec(String(body))?.[1];
  if (base === undefined) return [];
  const at = text.search(/[bcdfghjklmnpqrstvwxz2456789]{5}"/);
  const name = at < base.length ? '' : text.slice(at - base.length, at + 5);
  return name.startsWith(base) ? [[name, '<generated>']] : [];
}
