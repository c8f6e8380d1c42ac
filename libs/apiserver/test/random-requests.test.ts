import { Agent, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import type { ApiServer } from '../src/index.js';
import { configMap, configMaps, server, widget, widgetDefinition, widgets } from './support/fixtures.js';
import { seeded } from './support/seeded.js';

interface Question {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Reply {
  status: number;
  type: string;
  text: string;
}

/** Longest wait for an answer, in milliseconds. */
const patience = 5_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterEach(() => agent.destroy());

/** Asks over a kept connection; of a stream only the beginning is read. */
function ask(api: ApiServer, question: Question): Promise<Reply> {
  const { method, path, headers, body } = question;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => outgoing.destroy(new Error(`no answer: ${JSON.stringify(question)}`)), patience);
    const outgoing = request(api.url, { method, path, headers, agent }, (response) => {
      const status = response.statusCode ?? 0;
      const type = response.headers['content-type'] ?? '';
      const chunks: Buffer[] = [];
      const finish = (): void => {
        clearTimeout(late);
        resolve({ status, type, text: Buffer.concat(chunks).toString() });
      };
      if (response.headers['content-length'] === undefined && method !== 'HEAD') {
        outgoing.destroy();
        finish();
        return;
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', finish);
    });
    outgoing.on('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    outgoing.end(body);
  });
}

/** What every answer is: a document of a known kind, or a refusal in one of the two forms. */
function judge(question: Question, { status, type, text }: Reply): void {
  const shown = JSON.stringify({ ...question, body: question.body?.slice(0, 300) });
  expect(status, shown).toBeGreaterThanOrEqual(200);
  if (question.method === 'HEAD') {
    expect(text, shown).toBe('');
    return;
  }
  if (status === 404 && type.startsWith('text/plain')) {
    expect(text, shown).toBe('404 page not found\n');
    return;
  }
  // Where no OpenAPI document is, the real server says nothing at all.
  if (status === 404 && question.path.startsWith('/openapi/') && text === '') return;
  if (status < 400) return;
  const accept = String(question.headers['accept']);
  if (type === 'application/vnd.kubernetes.protobuf' && accept.includes(type)) {
    expect(text, shown).toMatch(/^k8s\0.*Status.*Failure/s);
    return;
  }
  const yaml = type === 'application/yaml' && accept.includes(type);
  if (!yaml) expect(type, shown).toBe('application/json');
  const answer: unknown = yaml ? parseYaml(text) : JSON.parse(text);
  expect(answer, shown).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status });
}

class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  many<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  text(): string {
    const pieces = [
      'a',
      'Z',
      '0',
      '-',
      '.',
      '/',
      '%',
      '=',
      '!',
      ',',
      '(',
      ')',
      ' ',
      '"',
      '\\',
      '\0',
      'ü',
      '😀',
      '\ud800',
    ];
    return this.many(8, () => this.pick(pieces)).join('');
  }

  /** Bytes of a text changed, taken away, said twice or cut off. */
  damaged(text: string): string {
    let out = text;
    for (let times = this.below(4); times >= 0; times--) {
      const at = this.below(out.length + 1);
      const until = at + this.below(12);
      const kind = this.below(4);
      if (kind === 0) out = out.slice(0, at);
      else if (kind === 1) out = out.slice(0, at) + out.slice(until);
      else if (kind === 2) out = out.slice(0, until) + out.slice(at);
      else {
        const piece = this.pick([
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"',
          'null',
          '-',
          '1e999',
          '12345678901234567890',
          '\0',
        ]);
        out = out.slice(0, at) + piece + out.slice(at);
      }
    }
    return out;
  }

  value(depth = 3): unknown {
    const leaves = [null, true, false, 0, -1, 1.5, 2 ** 60, '', 'a', '__proto__', 'constructor', this.text()];
    if (depth === 0 || this.chance(0.4)) return this.pick(leaves);
    if (this.chance(0.4)) return this.many(3, () => this.value(depth - 1));
    return Object.fromEntries(this.many(3, () => [this.key(), this.value(depth - 1)]));
  }

  key(): string {
    return this.pick([
      'metadata',
      'spec',
      'status',
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'labels',
      'annotations',
      'finalizers',
      'ownerReferences',
      'managedFields',
      'generateName',
      'kind',
      'apiVersion',
      'size',
      'map',
      'set',
      'keyed',
      'k',
      'one',
      'port',
      'data',
      'stringData',
      'immutable',
      'rules',
      'subjects',
      'roleRef',
      'involvedObject',
      'versions',
      'schema',
      'openAPIV3Schema',
      'properties',
      'names',
      'preconditions',
      'dryRun',
      '$patch',
      '$retainKeys',
      '$setElementOrder/finalizers',
      '$deleteFromPrimitiveList/finalizers',
      '__proto__',
      'constructor',
      'toString',
      '',
      this.text(),
    ]);
  }

  pointer(): string {
    const parts = this.many(4, () => this.pick([this.key(), '0', '-1', '-', '~0', '~2', '99', '01']));
    return this.chance(0.1) ? this.text() : parts.map((part) => `/${part}`).join('');
  }

  operations(): unknown {
    const operation = (): unknown => ({
      op: this.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x', null]),
      path: this.chance(0.05) ? this.value(1) : this.pointer(),
      ...(this.chance(0.5) ? { from: this.pointer() } : {}),
      ...(this.chance(0.8) ? { value: this.value(2) } : {}),
    });
    return this.chance(0.05) ? this.value() : this.many(4, operation);
  }

  path(): string {
    const known = [
      widgets,
      `${widgets}/a`,
      `${widgets}/a/status`,
      `${widgets}/a/scale`,
      '/apis/example.com/v1/widgets',
      configMaps,
      `${configMaps}/a`,
      '/api/v1/namespaces/default/secrets/a',
      '/api/v1/namespaces',
      '/api/v1/namespaces/other',
      '/api/v1/namespaces/other/finalize',
      '/api/v1/namespaces/default/events',
      '/apis/events.k8s.io/v1/namespaces/default/events/a',
      '/apis/apps/v1/namespaces/default/deployments/a/scale',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/a',
      '/apis/coordination.k8s.io/v1/namespaces/default/leases/a',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com/status',
      '/api',
      '/apis',
      '/apis/example.com',
      '/openapi/v3',
      '/openapi/v3/apis/example.com/v1',
      '/version',
    ];
    const path = this.pick(known);
    if (this.chance(0.6)) return path;
    const parts = path.split('/');
    for (let times = this.below(3); times >= 0; times--) {
      const at = 1 + this.below(parts.length);
      const part = this.chance(0.2)
        ? this.pick(['%', '%ff', '%00', '%2f', '..', '.', ''])
        : encodeURIComponent(this.text().toWellFormed());
      parts.splice(at, this.below(2), part);
    }
    return parts.join('/') || '/';
  }

  query(): string {
    const names = [
      'watch',
      'limit',
      'continue',
      'resourceVersion',
      'resourceVersionMatch',
      'sendInitialEvents',
      'allowWatchBookmarks',
      'timeoutSeconds',
      'labelSelector',
      'fieldSelector',
      'dryRun',
      'fieldValidation',
      'fieldManager',
      'force',
      'pretty',
      'includeObject',
      'propagationPolicy',
      'gracePeriodSeconds',
      'orphanDependents',
      '__proto__',
    ];
    const values = [
      '',
      '0',
      '1',
      '-1',
      'true',
      'false',
      'abc',
      '1e3',
      '9'.repeat(400),
      'All',
      'Strict',
      'Exact',
      'NotOlderThan',
      'Foreground',
      'Orphan',
      'Object',
      'a=b,c!=d',
      'a in (b,c),!d',
      'a in (',
      '((((',
      'metadata.name=a',
      'spec.x=y,metadata.namespace!=z',
    ];
    const pair = (): string => {
      const name = this.pick(names);
      // A version of the future makes the server wait, which is another test.
      const value =
        name === 'resourceVersion'
          ? this.pick(['', '0', '1', '-1', 'abc', '00'])
          : name === 'continue' && this.chance(0.7)
            ? Buffer.from(this.damaged('{"v":"meta.k8s.io/v1","rv":1,"start":"default/a"}')).toString('base64url')
            : this.chance(0.7)
              ? this.pick(values)
              : this.text();
      return `${name}=${this.chance(0.05) ? '%zz' : encodeURIComponent(value.toWellFormed())}`;
    };
    const pairs = this.many(4, pair);
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    if (this.chance(0.5)) {
      headers['accept'] = this.pick([
        'application/json',
        'application/yaml',
        '*/*;q=x',
        ',;,=',
        'application/json;as=Table;g=meta.k8s.io;v=v1',
        'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
        'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
        'application/vnd.kubernetes.protobuf',
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      ]);
    }
    if (this.chance(0.2)) headers['authorization'] = this.pick(['', 'Bearer', 'Bearer x', 'Basic eDp4', 'Bearer  ']);
    if (this.chance(0.2)) headers['accept-encoding'] = 'gzip';
    return headers;
  }

  body(): string {
    const bodies: (() => unknown)[] = [
      () => widget('a', { metadata: { labels: this.value() } }),
      () => widget('a', { spec: this.value() as Record<string, never> }),
      () => ({ ...configMap('a'), ...(this.value() as object) }),
      () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' }, spec: this.value() }),
      () => ({ metadata: this.value(), spec: this.value(), status: this.value() }),
      () => ({ ...widgetDefinition, spec: { ...(widgetDefinition['spec'] as object), ...(this.value() as object) } }),
      () => ({ kind: 'DeleteOptions', apiVersion: 'v1', preconditions: this.value(), dryRun: this.value() }),
      () => this.operations(),
      () => this.value(4),
    ];
    const text = JSON.stringify(this.pick(bodies)());
    return this.chance(0.35) ? this.damaged(text) : text;
  }

  question(): Question {
    const method = this.pick(['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT']);
    const headers = this.headers();
    const reads = method === 'GET' || method === 'HEAD';
    const body = reads && this.chance(0.9) ? undefined : this.body();
    if (body !== undefined) {
      headers['content-length'] = String(Buffer.byteLength(body));
      headers['content-type'] = this.pick([
        'application/json',
        'application/merge-patch+json',
        'application/json-patch+json',
        'application/strategic-merge-patch+json',
        'application/apply-patch+yaml',
        'application/yaml',
        'application/json; charset=utf-8',
        'text/html',
        ';',
      ]);
    }
    return { method, path: this.path() + this.query(), headers, body };
  }
}

describe('requests at random', () => {
  it.each([11, 12, 13, 14, 15, 16, 17, 18])(
    'are each answered, by a Status where they are refused (seed %i)',
    async (seed) => {
      const api = await server();
      const dice = new Dice(seed);
      await api.create(configMap('a', { x: 'y' }));
      await api.create(widget('a'));
      for (let index = 0; index < 600; index++) {
        const question = dice.question();
        judge(question, await ask(api, question));
      }
      await api.activity.whenIdle();
      const alive = { method: 'GET', path: '/api/v1/namespaces/default', headers: {}, body: undefined };
      expect((await ask(api, alive)).status).toBe(200);
    },
    60_000,
  );
});
