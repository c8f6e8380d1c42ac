import { widgetDefinition } from '../support/fixtures.js';
import { samples } from './bodies.js';
import type { ServerPair } from './pair.js';
import { inNamespace, questionOf } from './question.js';
import { crds, objects } from './world.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const namespaces = '/api/v1/namespaces';
const merge = 'application/merge-patch+json';

/** Collections of the cluster that questions write to. */
const clusterWide = [
  '/api/v1/nodes',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
];

/** What servers have without being asked. */
const ofItself = /^(default|kube-.*|admin|edit|view|cluster-admin|system:.*)$/;

/** Has both servers in the same state. */
export class PairWorld {
  #count = 0;

  /** `prefix`: that of the namespaces. */
  constructor(
    private readonly pair: ServerPair,
    private readonly prefix: string,
  ) {}

  /** Brings the definition. */
  async prepare(): Promise<void> {
    for (const definition of crds) await this.pair.send('POST', definitions, definition);
    await this.#untilServed();
    // The servers make them in an order of their own, which lists would show.
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
      await this.pair.send('PATCH', `${namespaces}/${name}`, { metadata: { labels: { order: 'first' } } }, merge);
    }
  }

  /** Takes away what questions have left in the cluster, and answers a namespace with all that a run begins with. */
  async fresh(): Promise<string> {
    for (const path of clusterWide) {
      for (const name of await this.#names(path)) {
        if (ofItself.test(name)) continue;
        await this.pair.send('PATCH', `${path}/${name}`, { metadata: { finalizers: null } }, merge);
        await this.pair.send('DELETE', `${path}/${name}`);
      }
    }
    for (const name of await this.#names(namespaces)) {
      if (ofItself.test(name) || name.startsWith(this.prefix)) continue;
      await this.pair.send('DELETE', `${namespaces}/${name}`);
      await this.pair.send('PATCH', `${namespaces}/${name}`, { metadata: { finalizers: null } }, merge);
      await this.pair.send('PUT', `${namespaces}/${name}/finalize`, { metadata: { name }, spec: { finalizers: [] } });
    }
    const namespace = `${this.prefix}${this.#count++}`;
    await this.pair.send('POST', namespaces, { metadata: { name: namespace } });
    for (const object of objects) {
      const { path } = samples.find(({ body }) => body['kind'] === object['kind'])!;
      const answers = await this.pair.ask(
        inNamespace(questionOf('world', 'POST', path, JSON.stringify(object)), namespace),
      );
      for (const { status } of [answers.embedded, answers.real]) {
        if (status !== 201) throw new Error(`the world cannot be made: ${JSON.stringify(answers)}`);
      }
    }
    return namespace;
  }

  /** What either of them has. */
  async #names(path: string): Promise<Set<string>> {
    const { embedded, real } = await this.pair.send('GET', path);
    const items = [embedded, real].flatMap(
      (answer) => (answer as unknown as { body: { items: { metadata: { name: string } }[] } }).body.items,
    );
    return new Set(items.map(({ metadata }) => metadata.name));
  }

  async #untilServed(): Promise<void> {
    const { group, names } = widgetDefinition['spec'] as { group: string; names: { plural: string } };
    const end = performance.now() + 30_000;
    for (;;) {
      const { embedded, real } = await this.pair.send('GET', `/apis/${group}/v1/${names.plural}`);
      if (embedded.status === 200 && real.status === 200) return;
      if (performance.now() > end) throw new Error('the definition is not served after 30 s');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
