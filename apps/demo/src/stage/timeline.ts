import { ClientClosedError, type KubeClient, type ResourceRef, type StoredObject } from 'nestjs-operator';
import { persistentVolumeClaims, type Claim } from '../volumes/claim.service.js';
import { EphemeralVolumeClaim } from '../volumes/ephemeral-volume-claim.js';

const events: ResourceRef<StoredObject> = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true };

/** What every kind has. */
type Seen = Pick<StoredObject, 'kind' | 'metadata'>;

/** Prints what happens in the cluster, seen from outside of the operator: one line per change that tells something. */
export class Timeline {
  readonly #begun = performance.now();
  readonly #told = new Map<string, string>();
  readonly #ending = new AbortController();
  readonly #watches: Promise<void>[] = [];

  constructor(
    private readonly kube: KubeClient,
    private readonly print: (line: string) => void,
  ) {}

  start(): void {
    this.#follow(EphemeralVolumeClaim, describeOwner);
    this.#follow(persistentVolumeClaims, describeClaim);
    this.#follow(events, describeEvent);
  }

  async stop(): Promise<void> {
    this.#ending.abort(new Error('The timeline ends.'));
    await Promise.all(this.#watches);
  }

  #follow<T extends Seen>(resource: ResourceRef<T>, describe: (object: T) => string): void {
    const watching = this.#watch(resource, describe).catch((error: unknown) => {
      // The client closes with the operator.
      if (this.#ending.signal.aborted || error instanceof ClientClosedError) return;
      this.print(`the timeline lost sight: ${String(error)}`);
    });
    this.#watches.push(watching);
  }

  async #watch<T extends Seen>(resource: ResourceRef<T>, describe: (object: T) => string): Promise<void> {
    for await (const { type, object } of this.kube.watch(resource, { signal: this.#ending.signal })) {
      const { uid } = object.metadata;
      const name = `${object.kind} ${object.metadata.name}`;
      if (type === 'DELETED') {
        if (object.kind !== 'Event') this.#tell(`${name} is gone`);
        this.#told.delete(uid);
        continue;
      }
      const line = describe(object);
      // Bookkeeping is no news.
      if (this.#told.get(uid) === line) continue;
      this.#told.set(uid, line);
      this.#tell(line);
    }
  }

  #tell(line: string): void {
    const seconds = ((performance.now() - this.#begun) / 1_000).toFixed(2).padStart(7);
    this.print(`${seconds} s  ${line}`);
  }
}

function describeOwner(object: EphemeralVolumeClaim): string {
  const { spec, status = {} } = object;
  const deleting = object.metadata.deletionTimestamp === undefined ? '' : ', being deleted';
  const phase = status.phase === undefined ? '' : `, ${status.phase}${status.message ? ` (${status.message})` : ''}`;
  return `EphemeralVolumeClaim ${object.metadata.name}: ${spec.size}${labels(object)}${phase}${deleting}`;
}

function describeClaim(object: Claim): string {
  const size = object.spec?.resources?.requests?.['storage'] ?? '?';
  return `  PersistentVolumeClaim ${object.metadata.name}: ${size}${labels(object)}`;
}

function describeEvent(object: StoredObject): string {
  const { type, reason, note } = object as Readonly<Record<string, unknown>>;
  return `  ${String(type)} event ${String(reason)}: ${String(note)}`;
}

function labels({ metadata }: Seen): string {
  const pairs = Object.entries(metadata.labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : ` [${pairs.join(' ')}]`;
}
