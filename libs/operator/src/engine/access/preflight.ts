import { AccessMissingError } from '../../errors/access-missing.error.js';
import type { ApiClient } from '../client/api-client.js';
import type { OperatorConfig } from '../operator-config.js';
import type { Logger } from '../ports/index.js';
import { reviewAccess } from './access-review.js';
import type { AccessRule } from './access-rule.js';
import { policyRulesYaml, roleRules } from './policy-rule.js';

export interface PreflightOptions {
  readonly config: Pick<OperatorConfig, 'preflight'>;
  readonly client: Pick<ApiClient, 'request'>;
  readonly logger: Logger;
  /** All that is needed by what is known now. */
  readonly required: () => readonly AccessRule[];
  /** Runs a task that ends by itself. */
  readonly run: (task: (signal: AbortSignal) => Promise<void>) => void;
}

/**
 * Asks the server, as the resources and namespaces to be served become known, whether the account may do all that is needed
 * for them. Each need is asked for once.
 */
export class Preflight {
  readonly #options: PreflightOptions;
  readonly #logger: Logger;
  /** What is asked for, and which verbs were refused; `undefined` as long as there is no answer. */
  readonly #asked = new Map<string, readonly string[] | undefined>();
  #running = false;
  #again = false;
  #toldUnknown = false;

  constructor(options: PreflightOptions) {
    this.#options = options;
    this.#logger = options.logger.child('Preflight');
  }

  /** Verbs of a need that were refused; `undefined` where there is no answer. */
  refused(rule: AccessRule): readonly string[] | undefined {
    return this.#asked.get(keyOf(rule));
  }

  /** What is served has changed. */
  look(): void {
    if (this.#options.config.preflight === 'off') return;
    this.#again = true;
    if (this.#running) return;
    this.#running = true;
    this.#options.run(async (signal) => {
      try {
        while (this.#again) {
          this.#again = false;
          await this.#review(signal);
        }
      } finally {
        this.#running = false;
      }
    });
  }

  /** @throws AccessMissingError when something that it cannot do without is missing, and that is to fail */
  async #review(signal: AbortSignal): Promise<void> {
    const fresh = this.#options.required().filter((rule) => this.#isNew(rule));
    if (fresh.length === 0) return;
    const { answers, missing, unknown } = await reviewAccess(this.#options.client, fresh, signal);
    for (const { rule, refused } of answers) this.#asked.set(keyOf(rule), refused);
    if (unknown !== undefined && !this.#toldUnknown) {
      this.#toldUnknown = true;
      this.#logger.log('warn', 'Access could not be reviewed', { rules: unknown.rules }, unknown.cause);
    }
    if (missing.length === 0) {
      this.#logger.log('debug', 'Access reviewed', { rules: fresh.length, missing: 0 });
      return;
    }
    const error = missingError(missing);
    const fields = { missing: missing.length };
    if (missing.every(({ need }) => need === 'sometimes')) {
      // Most often on purpose: an account that reads needs no more, if no handler writes.
      this.#logger.log('info', 'The account lacks access that it may not need', fields, error);
      return;
    }
    if (this.#options.config.preflight === 'fail') throw error;
    this.#logger.log('warn', 'The account lacks access', fields, error);
  }

  #isNew(rule: AccessRule): boolean {
    const key = keyOf(rule);
    if (this.#asked.has(key)) return false;
    this.#asked.set(key, undefined);
    return true;
  }
}

function keyOf({ group, resource, verbs, namespace, names }: AccessRule): string {
  return JSON.stringify([group, resource, verbs, namespace, names]);
}

function missingError(missing: readonly AccessRule[]): AccessMissingError {
  const rows = missing.map(({ group, resource, namespace, verbs, need, purpose }) => {
    return { resource: group === '' ? resource : nameOf(resource, group), namespace, verbs, need, purpose };
  });
  const rules = roleRules(missing).map(({ namespace, rules: of }) => ({ namespace, yaml: policyRulesYaml(of) }));
  return new AccessMissingError(rows, rules);
}

/** `widgets.demo.example/status`: as kubectl writes it. */
function nameOf(resource: string, group: string): string {
  const [plural = '', subresource] = resource.split('/', 2);
  return subresource === undefined ? `${plural}.${group}` : `${plural}.${group}/${subresource}`;
}
