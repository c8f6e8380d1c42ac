import { aggregatedRules } from '../access/aggregated-rules.js';
import { serverIdentity } from '../access/identity.js';
import { rbacGroup } from '../access/rbac-authorizer.js';
import type { Activity } from '../activity.js';
import { clone, deepEqual, type KubeObject } from '../json.js';
import type { ServerContext } from '../pipeline/server-context.js';
import { run, type Steps } from '../pipeline/steps.js';
import { changeObject } from '../pipeline/update.js';
import { writeDeadline, type WriteRequest } from '../pipeline/write-request.js';
import { ControllerQueue } from './controller-queue.js';
import { controllerSender } from './controller-sender.js';

const storage = `${rbacGroup}/clusterroles`;
// Its account may grant everything; here that is the server's own.
const sender = { ...controllerSender('clusterrole-aggregation-controller'), identity: serverIdentity };

/** Fills the ClusterRoles that take their rules from others. */
export class RoleAggregation {
  readonly #queue: ControllerQueue;
  readonly #unsubscribe: (() => void)[];

  constructor(
    private readonly context: ServerContext,
    activity: Activity,
    onError: (error: unknown) => void,
  ) {
    this.#queue = new ControllerQueue(activity, context.clock, (name) => run(this.#process(name)), onError);
    this.#unsubscribe = [
      context.store.subscribe(({ resource }) => {
        if (resource === storage) this.#recheck();
      }),
      context.store.onRestore(() => this.#recheck()),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#queue.stop();
  }

  /** Whichever role has changed, any other may take it in. */
  #recheck(): void {
    for (const { key, object } of this.context.store.list(storage)) {
      if (object['aggregationRule'] !== undefined) this.#queue.add(key);
    }
  }

  *#process(name: string): Steps<void> {
    const role = this.context.store.get(storage, name);
    if (role === undefined || role.metadata.deletionTimestamp !== undefined) return;
    const all = this.context.store.list(storage).map(({ object }) => object);
    const rules = aggregatedRules(role, all);
    if (rules === undefined || deepEqual(rules, role['rules'] ?? [])) return;
    const request: WriteRequest = {
      ...sender,
      type: this.context.registry.storageType(storage)!,
      namespace: undefined,
      name,
      subresource: undefined,
      deadline: writeDeadline(this.context.clock),
      warnings: [],
      options: { kind: 'UpdateOptions', dryRun: false, fieldValidation: 'Ignore' },
    };
    yield* changeObject(this.context, request, {
      next: (current: KubeObject) => ({ ...clone(current), rules }),
    });
  }
}
