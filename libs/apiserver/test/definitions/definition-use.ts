import { expect } from 'vitest';
import type { JsonObject } from '../../src/index.js';
import { until } from '../conformance/definitions.js';
import { send, type Target } from '../conformance/target.js';
import type { DefinitionFile } from './definition-files.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

// Answers are of any form.
// eslint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface Answer {
  readonly status: number;
  readonly json: Json;
  readonly warnings: readonly string[];
}

/** A definition on a server, and requests to its objects. */
export class DefinitionUse {
  constructor(
    readonly target: Target,
    readonly definition: DefinitionFile,
    readonly namespace: string,
  ) {}

  get version(): string {
    return this.definition.spec.versions.find(({ storage }) => storage)!.name;
  }

  /** Where the objects are, in the version that is stored unless another one is named. */
  objects(version = this.version): string {
    const { group, scope, names } = this.definition.spec;
    const place = scope === 'Cluster' ? '' : `namespaces/${this.namespace}/`;
    return `/apis/${group}/${version}/${place}${names.plural}`;
  }

  /** An object of this kind, as it is sent. */
  object(name: string, rest: JsonObject, version = this.version): JsonObject {
    const { group, names } = this.definition.spec;
    return { apiVersion: `${group}/${version}`, kind: names.kind, metadata: { name }, ...rest };
  }

  async call(method: string, path: string, body?: JsonObject, contentType?: string, accept?: string): Promise<Answer> {
    const { status, headers, text } = await send(this.target, {
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(accept === undefined ? {} : { accept }),
    });
    const warning = headers['warning'] ?? '';
    return {
      status,
      json: (headers['content-type'] ?? '').startsWith('application/json') ? (JSON.parse(text) as Json) : text,
      warnings: [...warning.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, found = '']) =>
        found.replaceAll(/\\(.)/g, '$1'),
      ),
    };
  }

  get(path: string, accept?: string): Promise<Answer> {
    return this.call('GET', path, undefined, undefined, accept);
  }

  create(name: string, rest: JsonObject, version = this.version): Promise<Answer> {
    return this.call('POST', this.objects(version), this.object(name, rest, version));
  }

  patch(path: string, body: JsonObject): Promise<Answer> {
    return this.call('PATCH', path, body, 'application/merge-patch+json');
  }

  /** Makes an object that the case needs. */
  async given(name: string, rest: JsonObject): Promise<string> {
    const { status, json } = await this.create(name, rest);
    expect(status, JSON.stringify(json)).toBe(201);
    return `${this.objects()}/${name}`;
  }

  /** Creates the definition and waits until creations of objects are not held up any more. */
  async serve(): Promise<void> {
    const { status, json } = await this.call('POST', definitions, this.definition);
    expect(status, JSON.stringify(json)).toBe(201);
    for (const { name, served } of this.definition.spec.versions) {
      if (served) await until(`${name} is served`, async () => (await this.get(this.objects(name))).status === 200);
    }
  }

  /** Deletes the definition with its objects. */
  async remove(): Promise<void> {
    const path = `${definitions}/${this.definition.metadata.name}`;
    const { status } = await this.call('DELETE', path);
    expect(status).toBe(200);
    await until(`${path} is gone`, async () => (await this.get(path)).status === 404);
  }
}

/** What is wrong, as field and message. */
export const causesOf = ({ json }: Answer): string[] =>
  ((json.details?.causes ?? []) as { field: string; message: string }[])
    .map(({ field, message }) => `${field}: ${message}`)
    .toSorted();

/** An object without what the server adds to all. */
export function contentOf({ json }: Answer): JsonObject {
  const { apiVersion: _, kind: __, metadata: ___, ...content } = json as JsonObject;
  return content;
}
