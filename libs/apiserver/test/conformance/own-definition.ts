import type { JsonObject } from '../../src/index.js';
import { definition, untilServed, version } from './definitions.js';
import type { Read, Session } from './session.js';

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition that a case makes for itself, in a group named after the case's namespace. */
export class OwnDefinition {
  readonly group: string;
  readonly name: string;
  /** The path of the definition. */
  readonly path: string;

  constructor(
    private readonly s: Session,
    readonly body: JsonObject,
  ) {
    this.group = (body['spec'] as { group: string }).group;
    this.name = (body['metadata'] as { name: string }).name;
    this.path = `${definitionsPath}/${this.name}`;
    s.leave(this.path);
  }

  static of(s: Session, versions: readonly JsonObject[], spec: JsonObject = {}, kind = 'Thing'): OwnDefinition {
    return new OwnDefinition(s, definition(`${s.namespace}.example.com`, kind, versions, spec));
  }

  /** One version with these members of the specification. */
  static simple(
    s: Session,
    properties: JsonObject = { size: { type: 'integer' } },
    more: JsonObject = {},
  ): OwnDefinition {
    return OwnDefinition.of(s, [version('v1', { properties: { spec: { type: 'object', properties } } }, more)]);
  }

  /** Creates the definition without writing it down, and waits until it is served. */
  async serve(): Promise<this> {
    const answer = await this.s.quietly('POST', definitionsPath, this.body);
    if (answer.status !== 201) throw new Error(`the definition is refused: ${answer.status} ${answer.text}`);
    await untilServed(this.s.target, this.body);
    return this;
  }

  /** Waits until the definition is as the case wants it. */
  async until(holds: (definition: Read['json'], status: number) => boolean): Promise<void> {
    await this.s.until(this.path, ({ json, status }) => holds(json, status));
  }

  /** Waits until a condition has a status. */
  async condition(type: string, status: string): Promise<void> {
    await this.until((json) =>
      ((json.status?.conditions ?? []) as { type: string; status: string }[]).some(
        (condition) => condition.type === type && condition.status === status,
      ),
    );
  }

  /** The path of the objects of the case's namespace. */
  objects(served = 'v1'): string {
    return `/apis/${this.group}/${served}/namespaces/${this.s.namespace}/things`;
  }

  /** The path of the objects of all namespaces, or of a kind that is in none. */
  everywhere(served = 'v1'): string {
    return `/apis/${this.group}/${served}/things`;
  }

  thing(spec: JsonObject = { size: 1 }, metadata: JsonObject = {}, served = 'v1'): JsonObject {
    return { apiVersion: `${this.group}/${served}`, kind: 'Thing', metadata: { name: 'a', ...metadata }, spec };
  }
}
