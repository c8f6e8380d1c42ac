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

describe.concurrent('runOperator at top level, with nobody who catches', patience, () => {
  const hooks = ['hook onModuleDestroy', 'hook beforeApplicationShutdown', 'hook onApplicationShutdown'];
  for (const host of ['http', 'context'] as const) {
    test(`[AC-22] ${host}: a start-up handler that fails for good closes the application first, code 1`, async (t) => {
      const { api, program } = await runner.open(t, { host, owner: 'run', bare: true, startup: 'fail' });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.order([...hooks, 'Operator failed'])).toEqual([...hooks, 'Operator failed']);
      t.expect(program.output).toMatch(/Operator failed .* <- PermanentError \[\w+\]: no room/);
      t.expect(program.output).not.toContain('clean-up');
      t.expect(api.requests.all()).toEqual([]);
    });

    test(`${host}: invalid options, code 1`, async (t) => {
      const { program } = await runner.open(t, { host, owner: 'run', bare: true, operator: { name: 'no domain' } });
      t.expect(await program.ended()).toBe(1);
      t.expect(program.output).toMatch(/InvalidOptionsError/);
    });

    test(`${host}: SIGTERM during the start is a clean stop, code 0`, async (t) => {
      const { program } = await runner.open(t, { host, owner: 'run', bare: true, startup: 'hang' });
      await program.printed('start-up');
      if (host === 'http') await program.printed('successfully started');
      program.send('SIGTERM');
      t.expect(await program.ended()).toBe(0);
      t.expect(program.order(hooks)).toEqual(hooks);
      t.expect(program.errors()).toEqual([]);
    });
  }
});
