import type { ApiClient } from '../client/api-client.js';
import type { ServedNamespaces } from '../namespaces/served-namespaces.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Logger } from '../ports/index.js';
import type { Supervisor } from '../supervision/supervisor.js';
import type { AccessDescription, AccessRule } from './access-rule.js';
import { Preflight } from './preflight.js';
import { requiredAccess, type AccessedResource } from './required-access.js';

export interface OperatorAccessOptions {
  readonly config: OperatorConfig;
  readonly client: ApiClient;
  readonly namespaces: ServedNamespaces;
  /** What is served now. */
  readonly resources: () => readonly AccessedResource[];
  readonly supervisor: Pick<Supervisor, 'runFinite' | 'fail'>;
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
      required: () => (namespaces.known ? this.#required() : []),
      run: (task) => void supervisor.runFinite('preflight', task).catch(fail),
    });
    namespaces.onChange(() => this.look());
    namespaces.synced.then(() => this.look(), fail);
  }

  /** What is served has changed. */
  look(): void {
    this.#preflight.look();
  }

  describe(): readonly AccessDescription[] {
    return this.#required().map((rule) => ({ ...rule, refused: this.#preflight.refused(rule) }));
  }

  #required(): readonly AccessRule[] {
    const { config, namespaces, resources } = this.#options;
    const { matching } = namespaces;
    return requiredAccess({
      config,
      resources: resources(),
      ...(matching === undefined ? {} : { matching }),
      declared: config.access,
    });
  }
}
