import { OperatorError } from './operator.error.js';

/** Which field a server complained about, and how. The text of the complaint is left out: it can quote values. */
export interface ApiErrorCause {
  readonly reason: string | undefined;
  readonly field: string | undefined;
}

export interface ApiErrorDetails {
  readonly kind: string | undefined;
  readonly name: string | undefined;
  readonly group: string | undefined;
  readonly uid: string | undefined;
  readonly causes: readonly ApiErrorCause[];
}

export interface ApiErrorInit {
  readonly verb: string;
  readonly path: string;
  readonly status: number;
  /** `reason` of the server's Status; empty where it sent none. */
  readonly reason: string;
  /** `message` of the server's Status without the values that it quotes; where it sent none, what was answered instead. */
  readonly serverMessage: string;
  readonly details: ApiErrorDetails | undefined;
  /** Milliseconds that the server asks to wait before the next attempt. */
  readonly retryAfter: number | undefined;
}

/** The API server answered, and the answer is a failure. Carries neither bodies nor headers. */
export class ApiError extends OperatorError {
  readonly code = 'OPERATOR_API';
  readonly verb: string;
  readonly path: string;
  readonly status: number;
  readonly reason: string;
  readonly serverMessage: string;
  readonly details: ApiErrorDetails | undefined;
  readonly retryAfter: number | undefined;

  constructor(init: ApiErrorInit) {
    const reason = init.reason === '' ? '' : ` ${init.reason}`;
    super(`${init.verb} ${init.path} was answered ${init.status}${reason}: ${init.serverMessage}`);
    this.verb = init.verb;
    this.path = init.path;
    this.status = init.status;
    this.reason = init.reason;
    this.serverMessage = init.serverMessage;
    this.details = init.details;
    this.retryAfter = init.retryAfter;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  /** 409 because another object holds the name. */
  get isAlreadyExists(): boolean {
    return this.status === 409 && this.reason === 'AlreadyExists';
  }

  /** 409 because the object changed meanwhile, a precondition failed, or another field manager owns a field. */
  get isConflict(): boolean {
    return this.status === 409 && this.reason !== 'AlreadyExists';
  }

  /** 410, in both spellings: the resource version or the continue token is too old. */
  get isGone(): boolean {
    return this.status === 410 || this.reason === 'Expired' || this.reason === 'Gone';
  }

  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  get isForbidden(): boolean {
    return this.status === 403;
  }

  get isInvalid(): boolean {
    return this.status === 422;
  }

  get isTooManyRequests(): boolean {
    return this.status === 429;
  }

  /** The requested resource version lies ahead of the server. Newer servers say so in a cause, older ones in the text. */
  get isTooLargeResourceVersion(): boolean {
    if (this.status !== 504) return false;
    return (
      this.details?.causes.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
      this.serverMessage.includes('Too large resource version')
    );
  }

  /** The namespace is on its way out: nothing can be created in it any more. */
  get isNamespaceTerminating(): boolean {
    return (
      this.status === 403 && this.details?.causes.some((cause) => cause.reason === 'NamespaceTerminating') === true
    );
  }
}
