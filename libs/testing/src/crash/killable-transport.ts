import type { ApiTransport, TransportRequest, TransportResponse } from 'nestjs-operator';

/** Where an operator is killed: with its nth write (counted from 1) unsent, or done but not yet known to the operator. */
export interface KillPoint {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** A write that an operator sent. */
export interface SentWrite {
  /** Such as `PATCH demo.example/widgets default/a/status`. */
  readonly title: string;
  /** The object: `demo.example/widgets default/a`. */
  readonly object: string;
  /** Absent where the write did not reach the server. */
  readonly status: number | undefined;
}

/** Breaks off for good at its kill point, so that the operator behind it can do nothing any more. */
export class KillableTransport implements ApiTransport {
  /** What made it break off. */
  killedAt: SentWrite | undefined;
  #count = 0;

  constructor(
    private readonly transport: ApiTransport,
    private readonly point: KillPoint | undefined,
    private readonly onWrite: (write: SentWrite) => void,
  ) {}

  get inFlight(): ApiTransport['inFlight'] {
    return this.transport.inFlight;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.killedAt !== undefined) throw killed();
    const address = addressOf(request);
    if (address === undefined) return this.transport.send(request);
    this.#count += 1;
    const isPoint = this.#count === this.point?.write;
    if (isPoint && this.point?.when === 'before') return this.#kill({ ...address, status: undefined });
    const response = await this.transport.send(request);
    const write = { ...address, status: response.status };
    this.onWrite(write);
    return isPoint ? this.#kill(write) : response;
  }

  async #kill(write: SentWrite): Promise<never> {
    this.killedAt = write;
    await this.transport.destroy();
    throw killed();
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  destroy(): Promise<void> {
    return this.transport.destroy();
  }
}

const killed = (): Error => new Error('The operator was killed.');

/** What a request writes; undefined for reads, and for Kubernetes events, which may be lost at any time. */
function addressOf({ method, path, body }: TransportRequest): Pick<SentWrite, 'title' | 'object'> | undefined {
  if (method === 'GET') return undefined;
  const [, prefix, ...parts] = new URL(path, 'http://server').pathname.split('/').map(decodeURIComponent);
  const group = prefix === 'api' ? '' : `${parts.shift()}/`;
  parts.shift();
  const namespace = parts[0] === 'namespaces' && parts.length > 2 ? parts.splice(0, 2)[1] : undefined;
  const [plural = '', given, ...subresource] = parts;
  if (plural === 'events') return undefined;
  const name = given ?? nameIn(body);
  const object = `${group}${plural} ${[namespace, name].filter((part) => part !== undefined).join('/')}`;
  return { object, title: `${method} ${[object, ...subresource].join('/')}` };
}

function nameIn(body: Uint8Array | undefined): string {
  const { metadata } = JSON.parse(Buffer.from(body ?? '{}').toString('utf8')) as {
    metadata?: { name?: string; generateName?: string };
  };
  return metadata?.name ?? `${metadata?.generateName ?? ''}*`;
}
