import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTarget, targetNames, type ClientTarget } from '../support/client-target.js';
import { Kubectl, type Outcome } from '../support/kubectl.js';
import { gadgetDefinition } from './gadget-definition.js';

const gadget = (name: string, spec = 'size: 1'): string =>
  `apiVersion: kubectl.example/v1\nkind: Gadget\nmetadata: {name: ${name}}\nspec: {${spec}}\n`;

const configMap = (name: string, data: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${more}}\ndata: {${data}}\n`;

const deployment = (name: string, image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers: [{name: main, image: "${image}"}, {name: side, image: side}]
`;

const documents = (...parts: string[]): string => parts.join('---\n');

describe.each(targetNames)('kubectl on the %s server', (name) => {
  let target: ClientTarget;
  let tool: Kubectl;
  let turn = 0;
  let namespace: string;

  const run = (line: string, input?: string): Promise<Outcome> => tool.run(words(line), input);
  const ok = (line: string, input?: string): Promise<string> => tool.ok(words(line), input);
  const read = async (ref: string): Promise<Record<string, Record<string, unknown>>> =>
    JSON.parse(await ok(`get ${ref} -o json`)) as Record<string, Record<string, unknown>>;

  beforeAll(async () => {
    target = await openTarget(name, { authorization: 'rbac' });
    tool = new Kubectl(target);
    await ok('create -f -', JSON.stringify(gadgetDefinition));
    await ok('wait crd/gadgets.kubectl.example --for=condition=Established --timeout=30s');
    // Its schema is in the documents a little later, on a real server.
    await vi.waitFor(async () => expect((await run('explain gadgets.spec')).code).toBe(0), 60_000);
  });

  afterAll(async () => {
    await ok('delete crd gadgets.kubectl.example');
    await target.close();
  });

  beforeEach(async () => {
    namespace = `kubectl-client-${(turn += 1)}`;
    await ok(`create namespace ${namespace}`);
    await ok(`config set-context --current --namespace=${namespace}`);
    return async () => {
      await ok(`delete namespace ${namespace} --wait=false`);
    };
  });

  it('discovers: version, api-resources, api-versions', async () => {
    expect(await ok('version')).toContain('Server Version: v1.36.3');
    const resources = await ok('api-resources --no-headers');
    expect(resources).toMatch(/^gadgets\s+gdt\s+kubectl\.example\/v1\s+true\s+Gadget$/m);
    expect(resources).toMatch(/^leases\s+coordination\.k8s\.io\/v1\s+true\s+Lease$/m);
    expect(await ok('api-resources --api-group=kubectl.example -o name')).toBe('gadgets.kubectl.example');
    expect((await ok('api-versions')).split('\n')).toEqual(
      expect.arrayContaining(['v1', 'apps/v1', 'kubectl.example/v1']),
    );
  });

  it('explains custom and built-in resources', async () => {
    expect(await ok('explain gadgets')).toMatch(
      /^GROUP: {6}kubectl\.example\nKIND: {7}Gadget\nVERSION: {4}v1\n\nDESCRIPTION:\n {4}Something handy\./,
    );
    expect(await ok('explain gdt.spec.size')).toMatch(/FIELD: size <integer>\n\n\nDESCRIPTION:\n {4}How large it is\./);
    expect(await ok('explain gadgets --recursive')).toMatch(/ {4}parts\t<\[\]Object>\n {6}name\t<string> -required-/);
    expect(await ok('explain pod.spec.containers.ports')).toMatch(/FIELD: ports <\[\]ContainerPort>/);
    expect(await ok('explain pod.spec.containers.ports')).toMatch(/containerPort\t<integer> -required-/);
    expect(await ok('explain deployment.spec --recursive')).toMatch(/nodeSelector\t<map\[string\]string>/);
    expect(await run('explain gadgets.nothing')).toEqual({
      code: 1,
      out: expect.stringContaining('KIND:       Gadget') as string,
      err: 'error: field "nothing" does not exist',
    });
  });

  describe('creating', () => {
    it('by name: namespace, configmap, secret and others, which are sent in protobuf', async () => {
      target.embedded?.requests.clear();
      const other = `${namespace}-other`;
      expect(await ok(`create namespace ${other}`)).toBe(`namespace/${other} created`);
      expect(await ok('create configmap c --from-literal=a=b --from-literal=n=1')).toBe('configmap/c created');
      expect(await ok('create secret generic s --from-literal=k=v')).toBe('secret/s created');
      expect(await ok('create serviceaccount bot')).toBe('serviceaccount/bot created');
      expect(await ok('create role r --verb=get,list --resource=configmaps,gadgets.kubectl.example')).toBe(
        'role.rbac.authorization.k8s.io/r created',
      );
      await ok(`create rolebinding rb --role=r --serviceaccount=${namespace}:bot`);
      await ok('create quota q --hard=cpu=1500m,pods=2');
      await ok('create deployment d --image=nginx --replicas=2 --port=80');
      await ok('create job j --image=busybox -- true');
      await tool.ok(['create', 'cronjob', 'cj', '--image=busybox', '--schedule=0 1 * * *']);
      await ok('create poddisruptionbudget pdb --selector=app=d --min-available=50%');
      await ok('create ingress i --rule=x.example/*=d:80');
      await ok('create service clusterip svc --tcp=80:8080');
      await ok(`create clusterrole ${namespace} --verb=get --non-resource-url=/metrics`);
      await ok(`create clusterrolebinding ${namespace} --clusterrole=${namespace} --user=ann`);
      await ok(`create priorityclass ${namespace} --value=7`);
      await ok(`delete clusterrole,clusterrolebinding,priorityclass ${namespace}`);
      expect(await read('configmap c')).toMatchObject({ data: { a: 'b', n: '1' } });
      expect(await read('secret s')).toMatchObject({ data: { k: 'dg==' }, type: 'Opaque' });
      expect(await read('quota q')).toMatchObject({ spec: { hard: { cpu: '1500m', pods: '2' } } });
      expect(await read('deployment d')).toMatchObject({
        spec: {
          replicas: 2,
          template: { spec: { containers: [{ image: 'nginx', ports: [{ containerPort: 80 }] }] } },
        },
      });
      expect(await read('pdb pdb')).toMatchObject({ spec: { minAvailable: '50%' } });
      expect(await read('cronjob cj')).toMatchObject({ spec: { schedule: '0 1 * * *' } });
      expect(await run(`create namespace ${other}`)).toMatchObject({
        code: 1,
        err: `Error from server (AlreadyExists): namespaces "${other}" already exists`,
      });
      if (target.embedded !== undefined) {
        const posts = target.embedded.requests.filter(({ verb }) => verb === 'create');
        expect(posts.map(({ contentType }) => contentType)).toEqual(
          posts.map(() => 'application/vnd.kubernetes.protobuf'),
        );
        expect(posts.length).toBeGreaterThan(10);
      }
      await ok(`delete namespace ${other} --wait=false`);
    });

    it('from files, and refuses what exists, is invalid or has unknown fields', async () => {
      const both = documents(gadget('w'), configMap('c', 'x: "1"'));
      expect(await ok('create -f -', both)).toBe('gadget.kubectl.example/w created\nconfigmap/c created');
      expect((await run('create -f -', both)).err).toContain(
        'Error from server (AlreadyExists): error when creating "STDIN": gadgets.kubectl.example "w" already exists',
      );
      expect((await run('create -f -', gadget('q', 'size: 99'))).err).toBe(
        'The Gadget "q" is invalid: spec.size: Invalid value: 99: spec.size in body should be less than or equal to 10',
      );
      expect((await run('create -f -', gadget('q', 'size: 1, sise: 2'))).err).toContain('unknown field "spec.sise"');
      const misspelt = deployment('q', 'x:1').replace('replicas', 'replics');
      expect((await run('create --validate=strict -f -', misspelt)).err).toContain(
        'strict decoding error: unknown field "spec.replics"',
      );
      expect(await run('create --validate=warn -f -', gadget('q', 'size: 1, sise: 2'))).toEqual({
        code: 0,
        out: 'gadget.kubectl.example/q created',
        err: 'Warning: unknown field "spec.sise"',
      });
      expect(await ok('create --dry-run=server -f -', gadget('dry'))).toBe(
        'gadget.kubectl.example/dry created (server dry run)',
      );
      expect((await run('get gadget dry')).code).toBe(1);
      expect(await ok('replace -f -', gadget('q', 'size: 7'))).toBe('gadget.kubectl.example/q replaced');
    });
  });

  describe('getting', () => {
    it('shows tables, YAML, chosen fields, and what is not there', async () => {
      await ok('create -f -', documents(gadget('w1', 'size: 7, mode: b'), gadget('w2'), gadget('w3', 'size: 3')));
      expect(await ok('get gadgets w1')).toMatch(/^NAME\s+SIZE\s+AGE\nw1\s+7\s+\d+s$/);
      expect(await ok('get gdt w1 -o wide')).toMatch(/^NAME\s+SIZE\s+MODE\s+AGE\nw1\s+7\s+b\s+\d+s$/);
      expect(await ok('get gdt w1 -o yaml')).toContain('  size: 7');
      expect(await ok('get gdt w1 -o jsonpath={.spec.mode}')).toBe('b');
      expect(await ok('get tools -o name')).toBe(
        'gadget.kubectl.example/w1\ngadget.kubectl.example/w2\ngadget.kubectl.example/w3',
      );
      expect(await ok('get gdt --sort-by=.spec.size --no-headers -o custom-columns=:.metadata.name')).toBe(
        'w2\nw3\nw1',
      );
      expect(await ok('get gdt --chunk-size=1 -o name')).toBe(
        'gadget.kubectl.example/w1\ngadget.kubectl.example/w2\ngadget.kubectl.example/w3',
      );
      expect(await ok('get gdt --field-selector=metadata.name=w2 -o name')).toBe('gadget.kubectl.example/w2');
      await ok('label gdt w3 tier=back');
      expect(await ok('get gdt -l tier=back -L tier --no-headers')).toMatch(/^w3\s+3\s+\d+s\s+back$/);
      expect(await ok('get gdt -A --no-headers')).toMatch(new RegExp(`^${namespace}\\s+w1\\s`, 'm'));
      expect((await run('get gdt nope')).err).toBe(
        'Error from server (NotFound): gadgets.kubectl.example "nope" not found',
      );
      expect((await run('get nonsense')).err).toBe('error: the server doesn\'t have a resource type "nonsense"');
      expect(await ok('describe gdt w1')).toMatch(/Size:\s+7/);
      expect(await ok('get crd gadgets.kubectl.example')).toMatch(
        /^NAME\s+CREATED AT\ngadgets\.kubectl\.example\s+2\S+Z$/,
      );
    });

    it('shows built-in kinds in columns of their own', async () => {
      await ok('create -f -', deployment('d', 'x:1'));
      expect(await ok('get deploy d -o wide --no-headers')).toMatch(
        /^d\s+0\/2\s+0\s+0\s+\d+s\s+main,side\s+x:1,side\s+app=d$/,
      );
      expect(await ok('describe deploy d')).toMatch(/25% max unavailable, 25% max surge/);
      await ok('create configmap c --from-literal=a=b');
      expect(await ok('get configmap c --no-headers')).toMatch(/^c\s+1\s+\d+s$/);
    });

    it('tells of events', async () => {
      await ok('create -f -', gadget('w'));
      const uid = String((await read('gadget w'))['metadata']?.['uid']);
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'e' },
        involvedObject: { apiVersion: 'kubectl.example/v1', kind: 'Gadget', name: 'w', namespace, uid },
        type: 'Warning',
        reason: 'Odd',
        message: 'something is odd',
        lastTimestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      };
      await ok('create -f -', JSON.stringify(event));
      expect(await ok('get events')).toMatch(/Warning\s+Odd\s+gadget\/w\s+something is odd/);
      expect(await ok('events --for gadget.kubectl.example/w')).toMatch(/Warning\s+Odd\s+Gadget\/w\s+something is odd/);
      expect(await ok('describe gdt w')).toContain('something is odd');
    });

    it('watches with -w: what is there, then each change', async () => {
      await ok('create -f -', gadget('first'));
      const watching = tool.start(words('get gadgets -w --output-watch-events --no-headers'));
      try {
        const columns = (): string[] => watching.lines.map((line) => line.split(/\s+/).slice(0, 3).join(' '));
        await vi.waitFor(() => expect(columns()).toEqual(['ADDED first 1']), 20_000);
        await ok('create -f -', gadget('second', 'size: 2'));
        await tool.ok(['patch', 'gadget', 'first', '--type=merge', '-p', '{"spec":{"size":5}}']);
        await ok('delete gadget second');
        await vi.waitFor(
          () => expect(columns()).toEqual(['ADDED first 1', 'ADDED second 2', 'MODIFIED first 5', 'DELETED second 2']),
          20_000,
        );
      } finally {
        await watching.stop();
      }
    });
  });

  describe('applying', () => {
    it('creates, changes, leaves alone, removes what is no longer given', async () => {
      const all = (size: number, data: string): string =>
        documents(gadget('w', `size: ${size}`), configMap('c', data), deployment('d', `x:${size}`));
      expect(await ok('apply -f -', all(3, 'x: "1", y: "1"'))).toBe(
        'gadget.kubectl.example/w created\nconfigmap/c created\ndeployment.apps/d created',
      );
      await ok('set env deploy/d -c side A=1');
      expect(await ok('apply -f -', all(4, 'x: "2"'))).toBe(
        'gadget.kubectl.example/w configured\nconfigmap/c configured\ndeployment.apps/d configured',
      );
      expect(await ok('apply -f -', all(4, 'x: "2"'))).toBe(
        'gadget.kubectl.example/w unchanged\nconfigmap/c unchanged\ndeployment.apps/d unchanged',
      );
      expect(await read('gadget w')).toMatchObject({ spec: { size: 4, replicas: 1 } });
      expect((await read('configmap c'))['data']).toEqual({ x: '2' });
      expect(await read('deploy d')).toMatchObject({
        spec: { template: { spec: { containers: [{ image: 'x:4' }, { env: [{ name: 'A', value: '1' }] }] } } },
      });
      expect(await ok('delete -f -', all(4, ''))).toContain('deployment.apps "d" deleted');
      expect(await ok('get gadgets,deployments -o name')).toBe('');
    });

    it('on the server side: a conflict, the force to win it, shared and dropped fields', async () => {
      const apply = (manager: string, input: string, ...more: string[]): Promise<Outcome> =>
        tool.run(['apply', '--server-side', `--field-manager=${manager}`, '-f', '-', ...more], input);
      for (const [ref, made] of [
        ['gadget w', (value: number) => gadget('w', `size: ${value}`)],
        ['configmap c', (value: number) => configMap('c', `size: "${value}"`)],
      ] as const) {
        const field = ref === 'gadget w' ? '.spec.size' : '.data.size';
        expect((await apply('one', made(1))).out).toMatch(/ serverside-applied$/);
        const conflict = await apply('two', made(2));
        expect(conflict.code).toBe(1);
        expect(conflict.err).toMatch(
          new RegExp(`^error: Apply failed with 1 conflict: conflict with "one": ${field.replaceAll('.', '\\.')}\n`),
        );
        expect(conflict.err).toContain('--force-conflicts');
        expect((await apply('two', made(2), '--force-conflicts')).code).toBe(0);
        expect((await apply('one', made(1))).err).toContain('conflict with "two"');
        // The same value belongs to both.
        expect((await apply('one', made(2))).code).toBe(0);
        const managed = (
          await ok(`get ${ref} --show-managed-fields -o jsonpath={.metadata.managedFields[*].manager}`)
        ).split(' ');
        expect(managed.toSorted()).toEqual(['one', 'two']);
        expect(await ok(`get ${ref} -o jsonpath={${field}}`)).toBe('2');
      }
      const parts = (list: string): string => gadget('w', `size: 2, parts: [${list}]`);
      await apply('one', parts('{name: a, weight: 1}, {name: b}'));
      await apply('three', parts('{name: c}').replace('size: 2, ', ''));
      await apply('one', parts('{name: b}'));
      expect((await read('gadget w'))['spec']?.['parts']).toEqual([{ name: 'b' }, { name: 'c' }]);
    });

    it('moves from the client side to the server side', async () => {
      await ok('apply -f -', configMap('c', 'a: "1", b: "1"'));
      expect(await run('apply --server-side -f -', configMap('c', 'a: "2"'))).toMatchObject({
        code: 0,
        out: 'configmap/c serverside-applied',
      });
      expect((await read('configmap c'))['data']).toEqual({ a: '2' });
    });

    it('shows differences, on either side', async () => {
      const small = documents(gadget('w', 'size: 3'), deployment('d', 'x:1'));
      const large = documents(gadget('w', 'size: 4'), deployment('d', 'x:2'));
      const absent = await run('diff -f -', small);
      expect([absent.code, absent.err]).toEqual([1, '']);
      expect(absent.out).toMatch(/^\+ {2}size: 3$/m);
      await ok('apply -f -', small);
      expect(await run('diff -f -', small)).toEqual({ code: 0, out: '', err: '' });
      const changed = await run('diff -f -', large);
      expect([changed.code, changed.err]).toEqual([1, '']);
      expect(changed.out).toMatch(/^- {2}size: 3\n\+ {2}size: 4$/m);
      expect(changed.out).toMatch(/^-\s+- image: x:1\n\+\s+- image: x:2$/m);
      const bySide = await run('diff --server-side --force-conflicts -f -', large);
      expect(bySide.code).toBe(1);
      expect(bySide.out).toMatch(/^- {2}size: 3\n\+ {2}size: 4$/m);
      expect(await ok('get gadget w -o jsonpath={.spec.size}')).toBe('3');
    });
  });

  describe('changing', () => {
    it('by three kinds of patch', async () => {
      await ok('create -f -', documents(gadget('w'), configMap('c', 'a: "1"'), deployment('d', 'x:1')));
      const patch = (ref: string, type: string, body: unknown, ...more: string[]): Promise<Outcome> =>
        tool.run(['patch', ...ref.split(' '), `--type=${type}`, '-p', JSON.stringify(body), ...more]);
      expect(await patch('gadget w', 'merge', { spec: { size: 5, mode: 'a' } })).toMatchObject({
        out: 'gadget.kubectl.example/w patched',
      });
      expect(await patch('gadget w', 'merge', { spec: { size: 5 } })).toMatchObject({
        out: 'gadget.kubectl.example/w patched (no change)',
      });
      await patch('gadget w', 'json', [
        { op: 'test', path: '/spec/size', value: 5 },
        { op: 'replace', path: '/spec/mode', value: 'b' },
      ]);
      expect(await patch('gadget w', 'json', [{ op: 'test', path: '/spec/size', value: 6 }])).toMatchObject({
        code: 1,
      });
      expect((await patch('gadget w', 'strategic', { spec: {} })).err).toContain(
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      );
      await patch('gadget w', 'merge', { status: { phase: 'Ready' }, spec: { size: 9 } }, '--subresource=status');
      expect(await read('gadget w')).toMatchObject({
        metadata: { generation: 3 },
        spec: { size: 5, mode: 'b' },
        status: { phase: 'Ready' },
      });
      await patch('configmap c', 'strategic', { data: { z: '1' } });
      await patch('configmap c', 'merge', { data: { a: null } });
      await patch('configmap c', 'json', [{ op: 'add', path: '/data/j', value: '2' }]);
      expect((await read('configmap c'))['data']).toEqual({ j: '2', z: '1' });
      const containers = [
        { name: 'side', image: 'side:2' },
        { $patch: 'delete', name: 'main' },
      ];
      await patch('deploy d', 'strategic', { spec: { template: { spec: { containers } } } });
      expect(await ok('get deploy d -o jsonpath={.spec.template.spec.containers[*].image}')).toBe('side:2');
    });

    it('labels and annotations', async () => {
      await ok('create -f -', documents(gadget('w'), configMap('c', 'a: "1"')));
      for (const [ref, shown] of [
        ['gadget/w', 'gadget.kubectl.example/w'],
        ['configmap/c', 'configmap/c'],
      ] as const) {
        expect(await ok(`label ${ref} a=b x=y`)).toBe(`${shown} labeled`);
        expect((await run(`label ${ref} a=c`)).err).toBe(
          "error: 'a' already has a value (b), and --overwrite is false",
        );
        expect(await ok(`label ${ref} a=c --overwrite x-`)).toBe(`${shown} modified`);
        expect((await run(`label ${ref} bad=-`)).err).toContain('a valid label must be an empty string or consist of');
        expect(await ok(`annotate ${ref} n=1 m=2`)).toBe(`${shown} annotated`);
        expect(await ok(`annotate ${ref} m-`)).toBe(`${shown} annotated`);
        expect((await read(ref))['metadata']).toMatchObject({ labels: { a: 'c' }, annotations: { n: '1' } });
      }
      expect((await run('label gadget w --resource-version=1 r=1')).err).toContain('the object has been modified');
      expect(await ok('label gadgets,configmaps -l a=c all=yes')).toContain('gadget.kubectl.example/w labeled');
    });

    it('scale', async () => {
      await ok('create -f -', documents(gadget('w'), deployment('d', 'x:1')));
      for (const [ref, shown, before] of [
        ['gadget/w', 'gadget.kubectl.example/w', 1],
        ['deploy/d', 'deployment.apps/d', 2],
      ] as const) {
        expect(await ok(`scale ${ref} --replicas=4`)).toBe(`${shown} scaled`);
        expect(await ok(`get ${ref} -o jsonpath={.spec.replicas}`)).toBe('4');
        expect((await run(`scale ${ref} --current-replicas=${before} --replicas=1`)).err).toBe(
          `error: Expected replicas to be ${before}, was 4`,
        );
        expect(await ok(`scale ${ref} --current-replicas=4 --replicas=0`)).toBe(`${shown} scaled`);
        expect(await ok(`get ${ref} -o jsonpath={.spec.replicas}`)).toBe('0');
      }
      await ok('create configmap c');
      expect((await run('scale configmap/c --replicas=1')).err).toContain(
        'the server could not find the requested resource',
      );
    });
  });

  it('waits for a condition, a field, the creation and the deletion', async () => {
    await ok('create -f -', gadget('w'));
    const waited = async (wait: string, begun: RegExp, change: () => Promise<unknown>): Promise<string | undefined> => {
      const waiting = tool.start(words(`${wait} --timeout=60s -v=6`));
      const said = (): string[] => waiting.lines.filter((line) => !/^[IWE]\d{4} /.test(line));
      try {
        await vi.waitFor(() => expect(waiting.lines.filter((line) => begun.test(line))).not.toEqual([]), 30_000);
        // Nothing has happened: it must not be satisfied yet.
        expect(said()).toEqual([]);
        await change();
        await vi.waitFor(() => expect(said()).toHaveLength(1), 30_000);
      } finally {
        await waiting.stop();
      }
      return said()[0];
    };
    const status = (body: unknown) => (): Promise<string> =>
      tool.ok(['patch', 'gadget', 'w', '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: body })]);
    const watches = /gadgets\?.*watch=true/;
    const met = 'gadget.kubectl.example/w condition met';
    expect(
      await waited('wait gadget/w --for=jsonpath={.status.phase}=Ready', watches, status({ phase: 'Ready' })),
    ).toBe(met);
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
    expect(await waited('wait gadget/w --for=condition=Ready', watches, status(ready))).toBe(met);
    expect(await waited('wait gadget/w --for=delete', watches, () => ok('delete gadget w --wait=false'))).toBe(met);
    expect(await waited('wait gadget/w --for=create', /gadgets\/w.*404/, () => ok('create -f -', gadget('w')))).toBe(
      met,
    );
    expect((await run('wait gadget/w --for=condition=Ready --timeout=1s')).err).toBe(
      'error: timed out waiting for the condition on gadgets/w',
    );
  });

  describe('deleting', () => {
    it.each(['background', 'foreground', 'orphan'])('with --cascade=%s', async (cascade) => {
      await ok('create configmap owner');
      const uid = String((await read('configmap owner'))['metadata']?.['uid']);
      const owner = `{apiVersion: v1, kind: ConfigMap, name: owner, uid: ${uid}, blockOwnerDeletion: true}`;
      await ok(
        'create -f -',
        configMap('owned', '', `, finalizers: [kubectl.example/hold], ownerReferences: [${owner}]`),
      );
      const release = (): Promise<string> =>
        tool.ok(['patch', 'configmap', 'owned', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
      const remaining = async (): Promise<string[]> =>
        (await ok('get configmaps -o name')).split('\n').filter((each) => /\/own/.test(each));
      const deleting = async (): Promise<boolean> =>
        (await read('configmap owned'))['metadata']?.['deletionTimestamp'] !== undefined;
      if (cascade === 'foreground') {
        await ok('delete configmap owner --cascade=foreground --wait=false');
        await vi.waitFor(async () => expect(await deleting()).toBe(true), 60_000);
        // The owner waits for what it owns.
        expect(await remaining()).toEqual(['configmap/owned', 'configmap/owner']);
        await release();
        await ok('wait configmap/owner --for=delete --timeout=60s');
        expect(await remaining()).toEqual([]);
      } else {
        expect(await ok(`delete configmap owner --cascade=${cascade}`)).toMatch(/^configmap "owner" deleted/);
        expect(await remaining()).toEqual(['configmap/owned']);
        if (cascade === 'background') {
          await vi.waitFor(async () => expect(await deleting()).toBe(true), 60_000);
          await release();
          await ok('wait configmap/owned --for=delete --timeout=60s');
        } else {
          expect((await read('configmap owned'))['metadata']).not.toHaveProperty('ownerReferences');
          expect(await deleting()).toBe(false);
          await release();
        }
      }
    });

    it('by selector, all, and a namespace with what is in it', async () => {
      await ok('create -f -', documents(gadget('w1'), gadget('w2'), gadget('w3')));
      await ok('label gadget w1 w2 drop=yes');
      expect(await ok('delete gadgets -l drop=yes')).toMatch(
        /^gadget\.kubectl\.example "w1" deleted.*\n.*"w2" deleted/,
      );
      expect(await ok('get gadgets -o name')).toBe('gadget.kubectl.example/w3');
      expect(await ok('delete gadgets --all --dry-run=server')).toContain('deleted');
      expect(await ok('delete gadgets --all')).toContain('"w3" deleted');
      expect((await run('delete gadget w3')).err).toBe(
        'Error from server (NotFound): gadgets.kubectl.example "w3" not found',
      );
      expect(await ok('delete gadget w3 --ignore-not-found')).toBe('');
      const other = `${namespace}-other`;
      await ok(`create namespace ${other}`);
      await ok(`create configmap x -n ${other}`);
      expect(await ok(`delete namespace ${other}`)).toBe(`namespace "${other}" deleted`);
      expect((await run(`get namespace ${other}`)).code).toBe(1);
    });
  });

  it('asks what accounts may do, and acts as them', async () => {
    expect(await ok('auth can-i delete gadgets')).toBe('yes');
    expect(await ok('auth whoami -o jsonpath={.status.userInfo.username}')).toBe('admin');
    await ok('create role viewer --verb=get,list,watch --resource=configmaps');
    await ok('create rolebinding viewer --role=viewer --user=ann');
    // A real server learns of a binding a little later.
    await vi.waitFor(async () => expect((await run('auth can-i list configmaps --as ann')).out).toBe('yes'), 30_000);
    expect(await run('auth can-i list secrets --as ann')).toMatchObject({ code: 1, out: 'no' });
    expect(await run('auth can-i list configmaps -A --as ann')).toMatchObject({ code: 1, out: 'no' });
    expect(await ok('auth can-i --list --as ann')).toMatch(/^configmaps\s+\[]\s+\[]\s+\[get list watch]$/m);
    expect((await run('get secrets --as ann')).err).toBe(
      `Error from server (Forbidden): secrets is forbidden: User "ann" cannot list resource "secrets" in API group "" in the namespace "${namespace}"`,
    );
    expect((await run('create configmap c --as ann')).err).toContain('User "ann" cannot create resource "configmaps"');
    await ok('create role keep --verb=create --resource=configmaps');
    await ok('create rolebinding keep --role=keep --group=keepers');
    await vi.waitFor(
      async () => expect((await run('create configmap c --as bob --as-group keepers')).code).toBe(0),
      30_000,
    );
  });

  it('creates tokens where there is someone to sign them', async () => {
    await ok('create serviceaccount holder');
    const token = await run('create token holder');
    if (target.embedded === undefined) expect(token.out.split('.')).toHaveLength(3);
    else expect(token.err).toContain('the server could not find the requested resource');
  });

  it('reads settings from files that it has written', async () => {
    const path = join(target.folder, 'manifest.yaml');
    await writeFile(path, documents(gadget('w'), configMap('c', 'a: "1"')));
    await ok(`apply -f ${path}`);
    await writeFile(join(target.folder, 'written.yaml'), await ok('get gadget w -o yaml'));
    expect(await ok(`apply -f ${join(target.folder, 'written.yaml')}`)).toBe('gadget.kubectl.example/w configured');
    expect(await ok(`get -f ${path} -o name`)).toBe('gadget.kubectl.example/w\nconfigmap/c');
  });
});

/** The words of a command line without quotes. */
function words(line: string): string[] {
  return line.split(' ');
}
