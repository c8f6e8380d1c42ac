import { goQuote } from './cel/library/go-quote.js';
import type { JsonObject } from './json.js';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The body of an error answer (and of a successful delete). */
export interface Status extends JsonObject {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** An answer that is an error; `status` is the body that goes over the wire. */
export class ApiError extends Error {
  constructor(
    readonly status: Status,
    /** What the answer warns of beside the error. */
    readonly warnings: readonly string[] = [],
  ) {
    super(status.message ?? status.reason ?? `status ${status.code}`);
    this.name = 'ApiError';
  }

  /** The HTTP status code. */
  get code(): number {
    return this.status.code ?? 500;
  }

  /** The machine-readable reason, such as `NotFound`. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** What an error says about the resource concerned. */
export interface ResourceName {
  group: string;
  plural: string;
}

export interface KindName {
  group: string;
  kind: string;
}

const codes = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

export type Reason = keyof typeof codes;

export function failure(reason: Reason, message: string, details?: StatusDetails): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code: codes[reason],
  });
}

const qualified = (resource: ResourceName): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;

const about = (resource: ResourceName, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(resource.group === '' ? {} : { group: resource.group }),
  kind: resource.plural,
});

/** Every error that the server answers with, one builder each. */
export const errors = {
  badRequest: (message: string): ApiError => failure('BadRequest', message),

  notFound: (resource: ResourceName, name: string): ApiError =>
    failure('NotFound', `${qualified(resource)} ${goQuote(name)} not found`, about(resource, name)),

  noSuchResource: (): ApiError => failure('NotFound', 'the server could not find the requested resource', {}),

  alreadyExists: (resource: ResourceName, name: string, deleting = false): ApiError =>
    failure(
      'AlreadyExists',
      `${deleting ? 'object is being deleted: ' : ''}${qualified(resource)} ${goQuote(name)} already exists`,
      about(resource, name),
    ),

  generateNameConflict: (resource: ResourceName, name: string): ApiError =>
    failure(
      'AlreadyExists',
      `${qualified(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
      {
        ...about(resource, name),
        retryAfterSeconds: 1,
      },
    ),

  conflict: (resource: ResourceName, name: string, why: string): ApiError =>
    failure(
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(resource)} ${goQuote(name)}: ${why}`,
      about(resource, name),
    ),

  modified: (resource: ResourceName, name: string): ApiError =>
    errors.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    ),

  invalid: (kind: KindName, name: string, causes: readonly StatusCause[]): ApiError => {
    const lines = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
    const text = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
    const of = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
    return failure('Invalid', `${of} ${goQuote(name)} is invalid: ${text}`, {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: [...causes],
    });
  },

  /** A query or options object that contradicts itself, such as `ListOptions` or `PatchOptions`. */
  invalidOptions: (kind: string, causes: readonly StatusCause[]): ApiError =>
    errors.invalid({ group: 'meta.k8s.io', kind }, '', causes),

  /** What a patch makes of an object is none of its type; `shown` is the quoted patch or result. */
  invalidPatch: (shown: string, why: string): ApiError => {
    const message = `Invalid value: ${goQuote(shown)}: ${why}`;
    return failure('Invalid', ` "" is invalid: patch: ${message}`, {
      causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
    });
  },

  rejected: (): ApiError => failure('Invalid', 'the server rejected our request due to an error in our request', {}),

  forbidden: (resource: ResourceName, name: string, why: string, causes?: StatusCause[]): ApiError =>
    failure('Forbidden', `${qualified(resource)}${name === '' ? ' is' : ` ${goQuote(name)} is`} forbidden: ${why}`, {
      ...about(resource, name),
      ...(causes === undefined ? {} : { causes }),
    }),

  unauthorized: (): ApiError => failure('Unauthorized', 'Unauthorized'),

  methodNotAllowed: (): ApiError =>
    failure('MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),

  /** As `methodNotAllowed`, for custom resources. */
  notSupported: (resource: ResourceName, verb: string): ApiError =>
    failure(
      'MethodNotAllowed',
      `${verb} is not supported on resources of kind ${goQuote(qualified(resource))}`,
      about(resource, ''),
    ),

  notAcceptable: (accepted: readonly string[]): ApiError =>
    failure('NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`),

  unsupportedMediaType: (accepted: readonly string[]): ApiError =>
    failure(
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    ),

  tooLarge: (limit: number): ApiError =>
    failure('RequestEntityTooLarge', `Request entity too large: limit is ${limit}`),

  expired: (message: string, next?: string): ApiError => {
    const error = failure('Expired', message);
    if (next !== undefined) error.status.metadata = { continue: next };
    return error;
  },

  tooLargeVersion: (requested: number | bigint, current: number): ApiError =>
    failure('Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    }),

  requestTimeout: (): ApiError =>
    failure('Timeout', 'Timeout: request did not complete within requested timeout - context deadline exceeded', {}),

  internal: (message: string): ApiError =>
    failure('InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] }),

  /** What the real server makes of an error that carries no status of its own. */
  plain: (message: string): ApiError =>
    new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }),
} as const;
