import { afterAll, beforeAll, describe, test } from 'vitest';
import { patience, ProgramRunner, type SceneSpec } from './support/program.js';

const runner = new ProgramRunner();
beforeAll(() => runner.prepare());
afterAll(() => runner.remove());

const programs = [
  ['http', 'attach'],
  ['context', 'run'],
  ['context', 'module'],
  ['microservice', 'module'],
] as const;

/** Each way in which a start fails, and what must be told. */
const failures: Readonly<Record<string, { readonly spec: Partial<SceneSpec>; readonly told: readonly RegExp[] }>> = {
  'invalid options': {
    spec: { operator: { name: 'no domain', shutdown: { drain: -1 } } },
    told: [/OPERATOR_INVALID_OPTIONS|InvalidOptionsError/, /name must be/, /shutdown\.drain/],
  },
  'a kubeconfig without context': {
    spec: { operator: { kubeConfig: 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n' } },
    told: [/OPERATOR_KUBE_CONFIG|KubeConfigError/, /context/],
  },
  'a kubeconfig that does not exist': {
    spec: { operator: { kubeConfig: { file: '/nonexistent/kubeconfig' } } },
    told: [/OPERATOR_KUBE_CONFIG|KubeConfigError/, /\/nonexistent\/kubeconfig/],
  },
  'a server that cannot be reached': {
    spec: {
      operator: {
        kubeConfig: {
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'gone', cluster: { server: 'http://127.0.0.1:1' } }],
          users: [{ name: 'me', user: {} }],
          contexts: [{ name: 'gone', context: { cluster: 'gone', user: 'me' } }],
          'current-context': 'gone',
        },
        client: { retries: ['50ms'] },
        watching: { syncTimeout: '500ms', backoff: { initial: '50ms' } },
      },
    },
    told: [/Operator failed .*OPERATOR_/, /ECONNREFUSED/, /widgets/],
  },
  'a CRD that is absent': {
    spec: { crds: [], operator: { watching: { syncTimeout: '500ms' } } },
    told: [/Operator failed .*OPERATOR_/, /widgets/],
  },
};

describe.concurrent('a start that fails', patience, () => {
  for (const [what, { spec, told }] of Object.entries(failures)) {
    for (const [host, owner] of programs) {
      test(`${what}: ${host}, ${owner}, code 1`, async (t) => {
        const { program } = await runner.open(t, { host, owner, ...spec });
        t.expect(await program.ended()).toBe(1);
        for (const words of told) t.expect(program.output).toMatch(words);
        t.expect(program.output).toContain('exit 1, 0 servers');
        t.expect(program.order(['handler begins', 'Operator stopped'])).toEqual([]);
      });
    }
  }
});
