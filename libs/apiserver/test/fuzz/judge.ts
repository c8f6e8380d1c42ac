import { parse as parseYaml } from 'yaml';
import type { RawAnswer } from '../conformance/target.js';
import { isUnreadable } from './places.js';
import { shown, type Question } from './question.js';

/** What is wrong with an answer, if anything: each is a document, or a refusal in one of the known forms. */
export function fault(question: Question, { status, headers, text }: RawAnswer): string | undefined {
  const type = headers['content-type'] ?? '';
  const say = (what: string): string =>
    `${what}: ${status} ${type} ${JSON.stringify(text.slice(0, 500))} to ${shown(question)}`;
  if (status < 200 || status > 599) return say('the status is none');
  if (question.method === 'HEAD') return text === '' ? undefined : say('HEAD has a body');
  if (status < 400) return undefined;
  if (status === 404 && text === '404 page not found\n') return undefined;
  if (isUnreadable(question.path) && status === 400 && text === '400 Bad Request') return undefined;
  // Documents of OpenAPI are refused without a word.
  if ([404, 406, 412].includes(status) && text === '' && /^\/+(\.\/)*openapi\//.test(question.path)) return undefined;
  const asked = String(question.headers['accept']);
  if (type === 'application/vnd.kubernetes.protobuf' && asked.includes(type)) {
    const isStatus = text.startsWith('k8s\0') && text.includes('Status') && text.includes('Failure');
    return isStatus ? undefined : say('the refusal is no Status');
  }
  const yaml = type === 'application/yaml' && asked.includes(type);
  if (!yaml && type !== 'application/json') return say('the refusal is no JSON');
  let answer: unknown;
  try {
    answer = yaml ? parseYaml(text) : JSON.parse(text);
  } catch {
    return say('the refusal cannot be read');
  }
  const { kind, apiVersion, status: outcome, code } = answer as Record<string, unknown>;
  const isStatus = kind === 'Status' && apiVersion === 'v1' && outcome === 'Failure' && code === status;
  return isStatus ? undefined : say('the refusal is no Status of its code');
}
