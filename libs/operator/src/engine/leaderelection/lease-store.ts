import { ApiError } from '../../errors/api.error.js';
import type { ApiClient, ApiRequest } from '../client/api-client.js';
import { collectionPath, objectPath } from '../client/api-path.js';
import type { LeaseObject, LeaseSpec } from './lease-record.js';

const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' };

/** An answer that comes later is of no use. */
const timeout = 5_000;

/** Reads and writes one Lease, on connections of its own: no other request of the process holds it up. */
export class LeaseStore {
  readonly #client: ApiClient;
  readonly #namespace: string;
  readonly #name: string;

  constructor(client: ApiClient, { namespace, name }: { readonly namespace: string; readonly name: string }) {
    this.#client = client;
    this.#namespace = namespace;
    this.#name = name;
  }

  /** `undefined`: there is none. */
  async read(signal: AbortSignal): Promise<LeaseObject | undefined> {
    try {
      return await this.#send({ verb: 'get', path: this.#path, signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** `undefined`: there is one already. */
  async create(spec: LeaseSpec, signal: AbortSignal): Promise<LeaseObject | undefined> {
    const body: LeaseObject = { ...this.#type, metadata: { name: this.#name, namespace: this.#namespace }, spec };
    const path = collectionPath(leases, this.#namespace);
    return this.#unlessConflict({ verb: 'create', path, body, signal });
  }

  /** `undefined`: somebody else has changed it since it was read. */
  async replace(read: LeaseObject, spec: LeaseSpec, signal: AbortSignal): Promise<LeaseObject | undefined> {
    const body: LeaseObject = { ...read, ...this.#type, spec };
    return this.#unlessConflict({ verb: 'update', path: this.#path, body, signal });
  }

  get #path(): string {
    return objectPath(leases, { namespace: this.#namespace, name: this.#name });
  }

  get #type(): Pick<LeaseObject, 'apiVersion' | 'kind'> {
    return { apiVersion: `${leases.group}/${leases.version}`, kind: 'Lease' };
  }

  async #unlessConflict(request: ApiRequest): Promise<LeaseObject | undefined> {
    try {
      return await this.#send(request);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) return undefined;
      throw error;
    }
  }

  async #send(request: ApiRequest): Promise<LeaseObject> {
    const { body } = await this.#client.request<LeaseObject>({ ...request, pool: 'lease', retry: 'none', timeout });
    return body;
  }
}
