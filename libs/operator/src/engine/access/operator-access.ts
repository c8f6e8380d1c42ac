import type { ApiClient } from '../client/api-client.js';
import type { ServedNamespaces } from '../namespaces/served-namespaces.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Logger } from '../ports/index.js';
import type { TaskSupervisor } from '../supervision/supervised.js';
import type { AccessDescription, AccessRule } from './access-rule.js';
import { Preflight } from './preflight.js';
import { requiredAccess, type AccessedResource } from './required-access.js';

export interface OperatorAccessOptions {
  readonly config: OperatorConfig;
  readonly client: ApiClient;
  readonly namespaces: ServedNamespaces;
  /** What is served now. */
  readonly resources: () => readonly AccessedResource[];
  readonly supervisor: Pick<TaskSupervisor, 'runFinite' | 'fail'>;
  /** The lease of the election; `undefined`: there is none. */
  readonly lease: { readonly namespace: string; readonly name: string } | undefined;
  readonly logger: Logger;
}

/** What the operator needs of the API by what it serves now, and what the server says of it. */
export class OperatorAccess {
  readonly #options: OperatorAccessOptions;
  readonly #preflight: Preflight;

  constructor(options: OperatorAccessOptions) {
    this.#options = options;
    const { namespaces, supervisor } = options;
    const fail = (error: unknown): void => supervisor.fail(error, 'preflight');
    this.#preflight = new Preflight({
      ...options,
      // Before the namespaces are known, it would be asked for in all of them.
      required: () => this.#required(namespaces.known ? options.resources() : []),
      run: (task) => void supervisor.runFinite('preflight', task).catch(fail),
    });
    namespaces.onChange(() => this.look());
  }

  /** From now on the server is asked. */
  start(): void {
    const { namespaces, supervisor } = this.#options;
    namespaces.synced.then(
      () => this.look(),
      (error: unknown) => supervisor.fail(error, 'preflight'),
    );
  }

  /** What is served has changed. */
  look(): void {
    this.#preflight.look();
  }

  describe(): readonly AccessDescription[] {
    return this.#required(this.#options.resources()).map((rule) => ({
      ...rule,
      refused: this.#preflight.refused(rule),
    }));
  }

  #required(resources: readonly AccessedResource[]): readonly AccessRule[] {
    const { config, namespaces, lease } = this.#options;
    const { matching = namespaces.known ? undefined : [] } = namespaces;
    return requiredAccess({
      config,
      resources,
      ...(matching === undefined ? {} : { matching }),
      ...(lease === undefined ? {} : { lease }),
      declared: config.access,
    });
  }
}
