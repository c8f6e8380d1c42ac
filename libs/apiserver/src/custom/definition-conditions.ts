import { isObject, type JsonObject, type KubeObject } from '../json.js';

interface Condition extends JsonObject {
  type: string;
  status: string;
}

const statusOf = (definition: KubeObject): JsonObject => {
  if (!isObject(definition['status'])) definition['status'] = {};
  return definition['status'] as JsonObject;
};

/** Sets a condition on a CustomResourceDefinition; the transition time moves only when its status does. */
export function setCondition(
  definition: KubeObject,
  now: string,
  condition: { type: string; status: string; reason: string; message: string },
): void {
  const status = statusOf(definition);
  const conditions = Array.isArray(status['conditions']) ? (status['conditions'] as Condition[]) : [];
  const before = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? before['lastTransitionTime'] : now;
  const next = { lastTransitionTime, ...condition };
  status['conditions'] =
    before === undefined ? [...conditions, next] : conditions.map((known) => (known === before ? next : known));
}

export function hasCondition(definition: KubeObject, type: string): boolean {
  const status = definition['status'];
  if (!isObject(status) || !Array.isArray(status['conditions'])) return false;
  return (status['conditions'] as Condition[]).some(
    (condition) => condition.type === type && condition.status === 'True',
  );
}

export function markTerminating(definition: KubeObject, now: string): void {
  setCondition(definition, now, {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  });
}
