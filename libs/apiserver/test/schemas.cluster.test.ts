import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectControlPlane, type ControlPlaneAddress } from '@nestjs-operator/testing/control-plane';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startApiServer, type ApiServer, type JsonObject } from '../src/index.js';
import { builtinResources } from '../src/resources/builtin-resources.js';
import { widgetDefinition } from './support/fixtures.js';
import { call } from './support/http.js';

const address = inject('controlPlane' as never) as ControlPlaneAddress;
const plane = connectControlPlane(address);

interface Document {
  paths: Record<string, unknown>;
  components: { schemas: Record<string, JsonObject> };
}

/** A document without what the embedded server leaves out: descriptions, and the kinds of other groups. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(
    ([key, member]) => !(key === 'description' && typeof member === 'string') && key !== 'x-kubernetes-unions',
  );
  return Object.fromEntries(left.map(([key, member]) => [key, comparable(member)]));
}

/** Their list of kinds names all groups of the server. */
const shared = ['DeleteOptions', 'WatchEvent'].map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`);

let api: ApiServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apiserver-schemas-'));
  api = await startApiServer({ crds: [widgetDefinition] });
  await api.writeKubeconfig(join(folder, 'config'));
});

afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

describe('the schemas of built-in types', () => {
  const prefixes = [
    ...new Set(
      builtinResources.map(({ group, version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`)),
    ),
  ];

  it.each(prefixes)('are those that the real server publishes: %s', async (prefix) => {
    const path = `/openapi/v3/${prefix}`;
    const real = JSON.parse((await plane.kubectl(['get', '--raw', path])).stdout) as Document;
    const embedded = (await call(api.url, 'GET', path)).json as Document;
    expect(Object.keys(embedded.components.schemas).length).toBeGreaterThan(5);
    for (const [name, schema] of Object.entries(embedded.components.schemas)) {
      const wanted = comparable(real.components.schemas[name]) as JsonObject;
      const own = comparable(schema) as JsonObject;
      if (shared.includes(name)) for (const each of [wanted, own]) delete each['x-kubernetes-group-version-kind'];
      expect(own, name).toEqual(wanted);
    }
    for (const [url, operations] of Object.entries(embedded.paths)) {
      expect(comparable(operations), url).toEqual(comparable(real.paths[url]));
    }
  });
});

interface Outcome {
  code: number;
  out: string;
  err: string;
}

function kubectl(args: readonly string[], input?: string): Promise<Outcome> {
  const command = address.binaries.kubectl ?? 'kubectl';
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: join(folder, 'config'), KUBERC: 'off' };
  return new Promise((resolve) => {
    const child = execFile(command, args, { timeout: 30_000, env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out, err });
    });
    child.stdin?.end(input ?? '');
  });
}

describe('kubectl', () => {
  const deployment = (image: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: 2${more}
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: c, image: "${image}"}]
`;

  it('explains custom and built-in resources', async () => {
    expect((await kubectl(['explain', 'widgets.spec.size'])).out).toMatch(/FIELD: size <integer>/);
    expect((await kubectl(['explain', 'widgets', '--recursive'])).out).toMatch(
      / {4}keyed\t<\[\]Object>\n {6}k\t<string>/,
    );
    const ports = (await kubectl(['explain', 'pod.spec.containers.ports'])).out;
    expect(ports).toMatch(/FIELD: ports <\[\]ContainerPort>/);
    expect(ports).toMatch(/containerPort\t<integer> -required-/);
    expect((await kubectl(['explain', 'deployment.spec', '--recursive'])).out).toMatch(
      /nodeSelector\t<map\[string\]string>/,
    );
    const unknown = await kubectl(['explain', 'widgets.nothing']);
    expect([unknown.code, unknown.err]).toEqual([1, 'error: field "nothing" does not exist\n']);
  });

  it('applies a built-in resource by strategic merge, and shows no difference where there is none', async () => {
    expect((await kubectl(['apply', '-f', '-'], deployment('x:1'))).out).toBe('deployment.apps/d created\n');
    expect((await kubectl(['diff', '-f', '-'], deployment('x:1'))).code).toBe(0);
    const changed = await kubectl(['diff', '-f', '-'], deployment('x:2'));
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(/-\s+- image: x:1\n\+\s+- image: x:2/);
    await kubectl(['set', 'env', 'deploy/d', 'A=1']);
    expect((await kubectl(['apply', '-f', '-'], deployment('x:2'))).out).toBe('deployment.apps/d configured\n');
    const { out } = await kubectl(['get', 'deploy', 'd', '-o', 'jsonpath={.spec.template.spec.containers[0]}']);
    expect(JSON.parse(out)).toMatchObject({ image: 'x:2', env: [{ name: 'A', value: '1' }] });
    expect((await kubectl(['get', 'deploy', 'd', '-o', 'wide', '--no-headers'])).out).toMatch(
      /^d\s+0\/2\s+0\s+0\s+\d+s\s+c\s+x:2\s+a=b\n$/,
    );
    expect((await kubectl(['describe', 'deploy', 'd'])).out).toMatch(/25% max unavailable, 25% max surge/);
  });

  it('has fields validated', async () => {
    const strict = await kubectl(['create', '--validate=strict', '-f', '-'], deployment('x', '\n  replics: 3'));
    expect(strict.err).toContain('strict decoding error: unknown field "spec.replics"');
    const path = join(folder, 'widget.yaml');
    await writeFile(path, 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 1, sise: 2}\n');
    const warned = await kubectl(['apply', '--validate=warn', '-f', path]);
    expect([warned.code, warned.err]).toEqual([0, 'Warning: unknown field "spec.sise"\n']);
    expect((await kubectl(['apply', '--validate=strict', '-f', path])).code).toBe(1);
  });
});
