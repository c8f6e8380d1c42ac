import { isObject, parseJson, type JsonObject } from '../json.js';
import { jsonSyntaxError } from '../json-syntax.js';
import { goType, noSuchKind } from '../pipeline/type-meta.js';
import { parseYamlBody } from '../pipeline/yaml-body.js';
import type { WebhookAnswer } from './webhook-transport.js';

/** An answer that is not what it has to be. */
export class AnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerError';
  }
}

/** The kinds of reviews that one sort of webhook exchanges, by version. */
export interface ReviewKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What an answer with this status says where it is no review. */
function statusMessage({ status, contentType, body }: WebhookAnswer): string {
  const said = reportedMessage(body);
  if (said !== undefined) return said;
  const text = contentType.startsWith('text/') ? body.trim() : 'unknown';
  switch (status) {
    case 400:
      return 'the server rejected our request for an unknown reason';
    case 401:
      return 'the server has asked for the client to provide credentials';
    case 403:
    case 415:
      return text;
    case 404:
      return 'the server could not find the requested resource';
    case 405:
      return 'the server does not allow this method on the requested resource';
    case 406:
      return text === 'unknown'
        ? 'the server was unable to respond with a content type that the client supports'
        : text;
    case 409:
      return 'the server reported a conflict';
    case 422:
      return 'the server rejected our request due to an error in our request';
    case 429:
      return 'the server has received too many requests and has asked us to try again later';
    case 503:
      return 'the server is currently unable to handle the request';
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request';
    default:
      return status >= 500
        ? `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`
        : `the server responded with the status code ${status} but did not return more information`;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The message of a body that is a Status. */
function reportedMessage(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Not a Status; what it is does not matter.
    return undefined;
  }
  return isObject(value) && value['kind'] === 'Status' && value['apiVersion'] === 'v1' && value['status'] === 'Failure'
    ? textOf(value['message']) || 'unknown'
    : undefined;
}

/** Reads an answer as a review of `version`; what is inside is not looked at. Throws AnswerError. */
export function decodeReview(answer: WebhookAnswer, review: ReviewKind, version: string): JsonObject {
  if (answer.status < 200 || answer.status > 206) throw new AnswerError(statusMessage(answer));
  if (answer.body === '') {
    throw new AnswerError(
      `0-length response with status code: ${answer.status} and content type: ${answer.contentType}`,
    );
  }
  const value = parseAnswer(answer.body) ?? {};
  if (!isObject(value)) {
    throw new AnswerError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(value)} into Go value of type ${typeMeta}`,
    );
  }
  checkReviewKind(value, review, version);
  return value;
}

function parseAnswer(body: string): unknown {
  try {
    return body.trimStart().startsWith('{') ? parseJson(body) : parseYamlBody(body);
  } catch (error) {
    const why = jsonSyntaxError(body) ?? (error instanceof Error ? error.message : String(error));
    throw new AnswerError(`couldn't get version/kind; json parse error: ${why}`);
  }
}

function checkReviewKind(value: JsonObject, review: ReviewKind, version: string): void {
  const { apiVersion = '', kind = '' } = value as { apiVersion?: unknown; kind?: unknown };
  for (const [field, given] of Object.entries({ apiVersion, kind })) {
    if (given !== null && typeof given !== 'string') {
      throw new AnswerError(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goType(given)} into Go struct field .${field} of type string`,
      );
    }
  }
  const gv = textOf(apiVersion);
  if (gv.split('/').length > 2) throw new AnswerError(`unexpected GroupVersion string: ${gv}`);
  const name = textOf(kind);
  if (gv === '' || name === '') return;
  const known = (gv === 'v1' && name === 'Status') || (isReview(gv, review) && name === review.kind);
  if (!known) throw new AnswerError(noSuchKind(gv, name));
  if (gv !== `${review.group}/${version}`) {
    const found = gv.slice(gv.indexOf('/') + 1);
    throw new AnswerError(`converting (${found}.${name}) to (${version}.${review.kind}): unknown conversion`);
  }
}

const isReview = (apiVersion: string, { group, versions }: ReviewKind): boolean =>
  versions.some((version) => apiVersion === `${group}/${version}`);

/** The group, version and kind that a review says it has, as messages show them. */
export function shownKind({ apiVersion, kind }: JsonObject): string {
  const gv = typeof apiVersion === 'string' ? apiVersion : '';
  return `${gv.includes('/') ? gv : `/${gv}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}
