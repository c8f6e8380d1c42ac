import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, startApiServer, type ApiServerOptions } from '../src/index.js';
import { server, widgetDefinition } from './support/fixtures.js';
import { call } from './support/http.js';

async function problemsOf(options: unknown): Promise<readonly string[]> {
  try {
    const api = await startApiServer(options as ApiServerOptions);
    await api.close();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect((error as InvalidOptionsError).code).toBe('APISERVER_INVALID_OPTIONS');
    return (error as InvalidOptionsError).problems;
  }
}

describe('the version of Kubernetes', () => {
  it('is 1.36 in every document that tells it, also when it is asked for by name', async () => {
    for (const kubernetesVersion of [undefined, '1.36', 'v1.36']) {
      const { url } = await server(kubernetesVersion === undefined ? {} : { kubernetesVersion });
      expect((await call(url, 'GET', '/version')).json).toMatchObject({
        major: '1',
        minor: '36',
        gitVersion: expect.stringMatching(/^v1\.36\.\d+$/) as string,
      });
    }
  });

  it.each(['1.35', '1.37', '1', '', '1.36.3', 'latest'])(
    'is not %j: the refusal says which there are',
    async (version) => {
      const [problem, ...others] = await problemsOf({ kubernetesVersion: version });
      expect(others).toEqual([]);
      expect(problem).toBe(
        `kubernetesVersion: there is no profile of ${JSON.stringify(version)}; only the answers of 1.36 have been compared with the real server`,
      );
    },
  );
});

describe('options that make no sense', () => {
  it('are refused all at once, and nothing is started', async () => {
    const handles = (): string[] => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
    const before = handles();
    expect(
      await problemsOf({
        crd: [widgetDefinition],
        clock: { now: () => 0 },
        kubernetesVersion: 1.36,
        authorization: 'RBAC',
        gc: 'yes',
        port: 70_000,
        random: 4,
        faultSeed: -1,
        bookmarkInterval: 0,
        historySize: 1.5,
        eventTtl: null,
        stateFile: '/nowhere/at/all/state.jsonl',
        onInternalError: 'print',
        limits: { body: 0, size: 1 },
        users: [{ name: 'a', token: 'x' }, { name: 'a', token: '' }, undefined, { name: 'b', token: 'x', groups: 'g' }],
        crds: ['kind: [', { kind: 'ConfigMap', apiVersion: 'v1' }, 5],
        objects: ['kind: Pod', widgetDefinition],
      }),
    ).toEqual([
      'there is no option crd',
      'clock must have the methods now, monotonic and setTimer',
      'kubernetesVersion must be a text, got 1.36',
      `authorization must be 'authenticated' or 'rbac', got "RBAC"`,
      'gc must be true or false',
      'port must be an integer from 0 to 65535, got 70000',
      'random must be a function',
      'faultSeed must be an integer from 0 on, got -1',
      'bookmarkInterval must be an integer from 1 on, got 0',
      'historySize must be an integer from 1 on, got 1.5',
      'eventTtl must be an integer from 0 on, got null',
      'stateFile lies in the folder /nowhere/at/all, which does not exist',
      'onInternalError must be a function',
      'limits.body must be an integer from 1 on, got 0',
      'there is no limit limits.size',
      'users[1].name is that of users[0] too',
      'users[2].name must be a text',
      'users[1].token must be a text',
      'users[2].token must be a text',
      'users[3].token is that of users[0] too',
      'users[3].groups must be a list of texts',
      expect.stringMatching(/^crds\[0\] cannot be read: /),
      'crds[1] is a ConfigMap, and no CustomResourceDefinition',
      'crds[2] must be an object or a YAML text',
      'objects[0] lacks apiVersion or kind',
    ]);
    expect(handles()).toEqual(before);
  });

  it('are told apart from those that are left open', async () => {
    expect(await problemsOf({ port: undefined, gc: undefined, users: undefined, limits: { body: undefined } })).toEqual(
      [],
    );
    expect(await problemsOf(undefined)).toEqual([]);
    expect(await problemsOf([])).toEqual(['the options must be an object']);
  });

  it('are listed in the message, one a line', async () => {
    await expect(startApiServer({ port: -1 })).rejects.toThrow(
      'The API server cannot start: port must be an integer from 0 to 65535, got -1.',
    );
    await expect(startApiServer({ port: -1, faultSeed: -1 })).rejects.toThrow(
      'The API server cannot start:\n  - port must be an integer from 0 to 65535, got -1\n  - faultSeed must be',
    );
  });

  it('are definitions that the server refuses: each with what is wrong about it', async () => {
    const nameless = { ...widgetDefinition, metadata: { name: 'gadgets.example.com' } };
    const problems = await problemsOf({ crds: [nameless, widgetDefinition, { ...nameless, spec: {} }] });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^crds\[0\] is refused: .*metadata\.name/);
    expect(problems[1]).toMatch(/^crds\[2\] is refused: /);
  });
});
