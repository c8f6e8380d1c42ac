import { ControlPlaneError } from './control-plane-error.js';
import { sendJson, type Endpoint } from './json-request.js';

/** The body of a Kubernetes answer as far as the launcher looks at it. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests to kube-apiserver in one account's name. */
export class ApiRequester {
  constructor(private readonly endpoint: Endpoint) {}

  /**
   * Statuses 200 to 299, and those of `accept`, are answers.
   * @throws {@link ControlPlaneError} CONTROL_PLANE_REQUEST_FAILED for any other
   */
  async request(
    method: string,
    path: string,
    options: { body?: unknown; accept?: readonly number[]; signal?: AbortSignal | undefined } = {},
  ): Promise<ApiAnswer> {
    const { status, text } = await sendJson(this.endpoint, method, path, {
      body: options.body,
      signal: options.signal,
    });
    const accepted = (status >= 200 && status < 300) || options.accept?.includes(status);
    const body = parse(text);
    if (accepted) return { status, body };
    const { reason, message } = (body ?? {}) as { reason?: string; message?: string };
    throw new ControlPlaneError('CONTROL_PLANE_REQUEST_FAILED', {
      found: `kube-apiserver answered ${status} ${reason ?? ''}: ${message ?? 'no message'}`,
      where: `${method} ${this.endpoint.url}${path}`,
      todo: status === 409 ? 'choose a name that is not in use' : 'correct the request by the message',
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Some refusals are plain text; the status says enough.
    return undefined;
  }
}
