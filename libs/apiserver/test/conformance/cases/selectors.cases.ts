import type { JsonObject } from '../../../src/index.js';
import { configMap, widget } from '../bodies.js';
import { definition, share, version } from '../definitions.js';
import { group, type Session } from '../session.js';

const { cases, add } = group('selectors');
export const selectorCases = cases;

async function three(s: Session): Promise<void> {
  for (const [name, app] of [
    ['a', 'x'],
    ['b', 'x'],
    ['c', 'y'],
  ] as const) {
    await s.quietly('POST', s.configMaps, configMap(name, {}, { labels: { app } }));
    await s.quietly('POST', s.widgets, widget(name, {}, { labels: { app } }));
  }
}

/** Lists with each selector; only the names are written down, and the whole of a refusal. */
async function select(s: Session, path: string, kind: 'label' | 'field', selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    const url = `${path}?${kind}Selector=${encodeURIComponent(selector)}`;
    const read = await s.quietly('GET', url);
    if (read.status === 200) {
      const items = read.json.items as { metadata: { name: string } }[];
      s.note(
        `${kind} selector ${selector}`.replaceAll(s.namespace, '<namespace>'),
        items.map((item) => item.metadata.name),
      );
    } else {
      await s.get(url);
    }
  }
}

add('label selectors', async (s) => {
  await three(s);
  for (const selector of ['app=x', 'app!=x', 'app in (x,y)', 'app notin (x)', 'app', '!app', 'app=x,app!=y', '']) {
    await s.get(`${s.configMaps}?labelSelector=${encodeURIComponent(selector)}`);
  }
});
add('label selectors that are none', async (s) => {
  for (const selector of ['a in b', 'a,,', 'a===b', 'a/b/c', 'a foo (b)', 'a in (b', '=b']) {
    await s.get(`${s.widgets}?labelSelector=${encodeURIComponent(selector)}`);
  }
  for (const selector of [
    'a in ()',
    'a in (b,)',
    'a in (b c)',
    'a b',
    '!a=b',
    '!!a',
    'a=b c',
    'a==',
    'a=-b',
    'a!',
    ',a',
    'a,',
    '(a)',
    `${'x'.repeat(64)}=a`,
    `a=${'x'.repeat(64)}`,
    `a in (b,-c)`,
    'A.B/c=d',
    '/a=b',
    'x.y/=b',
    'a=b,a>x',
    'ä=b',
    'a=b;c=d',
    'a\tin\t(b)',
  ]) {
    await s.get(`${s.widgets}?labelSelector=${encodeURIComponent(selector)}`);
  }
});
add('labels in sets, empty values and spaces', async (s) => {
  for (const [name, labels] of Object.entries<JsonObject>({
    a: { app: '' },
    b: { app: 'x' },
    c: {},
    d: { app: 'x', in: 'y' },
  })) {
    await s.quietly('POST', s.configMaps, configMap(name, {}, { labels }));
  }
  await select(s, s.configMaps, 'label', [
    'app=',
    'app!=',
    'app in (x,)',
    'app in (,x)',
    'app in ()',
    'app notin (x,)',
    'app in ( x , y )',
    '  app  =  x  ',
    'app = x , in = y',
    'in',
    '!in',
    ' ! in',
    'in in (y)',
    'app,!in',
    'app==x',
    'app=x,app=y',
  ]);
});
add('labels by number', async (s) => {
  for (const size of ['1', '5', '10', '-3', 'x']) {
    await s.quietly(
      'POST',
      s.configMaps,
      configMap(`n${size.replace('-', 'minus')}`, {}, { labels: { size: size === '-3' ? '3' : size } }),
    );
  }
  await select(s, s.configMaps, 'label', [
    'size>4',
    'size<5',
    'size > 1',
    'size>4,size<10',
    'size>x',
    'size>',
    'size>1.5',
    'size gt 4',
  ]);
});
add('labels with prefixes', async (s) => {
  await s.quietly(
    'POST',
    s.configMaps,
    configMap('a', {}, { labels: { 'x.example/app': 'a', 'x.example/App_1.b': 'B_2.c' } }),
  );
  await select(s, s.configMaps, 'label', [
    'x.example/app=a',
    'x.example/app',
    '!x.example/app',
    'x.example/App_1.b=B_2.c',
    'X.example/app=a',
    'y.example/app',
  ]);
});
add('field selectors', async (s) => {
  await three(s);
  for (const selector of [
    'metadata.name=a',
    'metadata.name!=a',
    `metadata.namespace=${s.namespace},metadata.name==b`,
    'spec.x=1',
    'spec.x',
  ]) {
    await s.get(`${s.widgets}?fieldSelector=${encodeURIComponent(selector)}`);
    await s.get(`${s.configMaps}?fieldSelector=${encodeURIComponent(selector)}`);
  }
});
add('fields of Pods', async (s) => {
  const pods = `/api/v1/namespaces/${s.namespace}/pods`;
  const pod = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  await s.quietly('POST', pods, pod('a', {}));
  await s.quietly('POST', pods, pod('b', { nodeName: 'n', restartPolicy: 'Never', schedulerName: 'mine' }));
  await s.quietly('POST', pods, pod('c', { serviceAccountName: 'sa', hostNetwork: true }));
  await s.quietly(
    'PATCH',
    `${pods}/c/status`,
    { status: { phase: 'Running', podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }], nominatedNodeName: 'nn' } },
    'application/merge-patch+json',
  );
  await select(s, pods, 'field', [
    'spec.nodeName=n',
    'spec.nodeName=',
    'spec.nodeName!=n',
    'spec.restartPolicy=Never',
    'spec.restartPolicy=Always',
    'spec.schedulerName=mine',
    'spec.schedulerName=default-scheduler',
    'spec.serviceAccountName=sa',
    'spec.hostNetwork=true',
    'spec.hostNetwork=false',
    'status.phase=Running',
    'status.phase=Pending',
    'status.phase!=Running,spec.nodeName=n',
    'status.podIP=10.1.2.3',
    'status.podIPs=10.1.2.3',
    'status.nominatedNodeName=nn',
    'spec.containers=c',
  ]);
});
add('fields of other built-in resources', async (s) => {
  const core = `/api/v1/namespaces/${s.namespace}`;
  await s.quietly('POST', `${core}/secrets`, {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    type: 'x.example/t',
  });
  await s.quietly('POST', `${core}/secrets`, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'b' } });
  await select(s, `${core}/secrets`, 'field', ['type=x.example/t', 'type=Opaque', 'type!=Opaque', 'data=x']);
  await select(s, '/api/v1/namespaces', 'field', [
    `metadata.name=${s.namespace}`,
    `metadata.name=${s.namespace},status.phase=Active`,
    `metadata.name=${s.namespace},status.phase=Terminating`,
    'metadata.namespace=x',
    'spec.x=1',
  ]);
  await s.quietly('POST', `${core}/events`, {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { name: 'e' },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'p',
      namespace: s.namespace,
      uid: 'u',
      fieldPath: 'f',
      resourceVersion: '7',
    },
    reason: 'R',
    type: 'Warning',
    source: { component: 'c' },
    reportingComponent: 'rc',
  });
  await select(s, `${core}/events`, 'field', [
    'involvedObject.kind=Pod',
    `involvedObject.namespace=${s.namespace}`,
    'involvedObject.name=q',
    'involvedObject.uid=u',
    'involvedObject.apiVersion=v1',
    'involvedObject.resourceVersion=7',
    'involvedObject.fieldPath=f',
    'reason=R',
    'reason!=R',
    'type=Warning',
    'source=c',
    'reportingComponent=rc',
    'message=x',
    'regarding.name=p',
  ]);
  await select(s, `/apis/events.k8s.io/v1/namespaces/${s.namespace}/events`, 'field', [
    'regarding.name=p',
    'regarding.kind=Pod',
    'reportingController=rc',
    'reason=R',
    'type=Normal',
    'involvedObject.name=p',
  ]);
  for (const path of ['services', 'serviceaccounts', 'persistentvolumeclaims']) {
    await select(s, `${core}/${path}`, 'field', ['metadata.name=x', 'spec.type=ClusterIP']);
  }
  await select(s, `/apis/apps/v1/namespaces/${s.namespace}/deployments`, 'field', [
    'metadata.name=x',
    'status.replicas=1',
  ]);
  await select(s, `/apis/apps/v1/namespaces/${s.namespace}/replicasets`, 'field', ['status.replicas=1']);
  await select(s, `/apis/batch/v1/namespaces/${s.namespace}/jobs`, 'field', ['status.successful=1', 'spec.x=1']);
  await select(s, '/api/v1/nodes', 'field', ['spec.unschedulable=true', 'metadata.name=none', 'metadata.namespace=x']);
});
add('fields with escapes', async (s) => {
  await three(s);
  await select(s, s.configMaps, 'field', [
    'metadata.name=a\\,b',
    'metadata.name=a\\=b',
    'metadata.name=a=b',
    'metadata.name=a\\b',
    'metadata.name=\\a',
    'metadata.name=',
    'metadata.name!=',
    'metadata.name=a,',
    ',metadata.name=a',
    'metadata.name = a',
    'metadata.name=a, metadata.name=a',
    'metadata.name',
    'metadata.name in (a)',
    '!metadata.name',
    '=a',
  ]);
});

const selectable = definition('selectable.conformance.example.com', 'Choice', [
  version(
    'v1',
    {
      properties: {
        spec: {
          type: 'object',
          properties: {
            color: { type: 'string' },
            size: { type: 'integer' },
            ready: { type: 'boolean' },
            deep: { type: 'object', properties: { kind: { type: 'string', default: 'plain' } } },
          },
        },
      },
    },
    {
      selectableFields: [
        { jsonPath: '.spec.color' },
        { jsonPath: '.spec.size' },
        { jsonPath: '.spec.ready' },
        { jsonPath: '.spec.deep.kind' },
      ],
    },
  ),
]);
add('fields of a definition', async (s) => {
  await share(s.target, selectable);
  const path = `/apis/selectable.conformance.example.com/v1/namespaces/${s.namespace}/choices`;
  const choice = (name: string, spec: JsonObject): JsonObject => ({
    apiVersion: 'selectable.conformance.example.com/v1',
    kind: 'Choice',
    metadata: { name },
    spec,
  });
  await s.quietly('POST', path, choice('a', { color: 'red', size: 1, ready: true, deep: {} }));
  await s.quietly('POST', path, choice('b', { color: 'blue', size: 10, ready: false }));
  await s.quietly('POST', path, choice('c', {}));
  await select(s, path, 'field', [
    'spec.color=red',
    'spec.color!=red',
    'spec.color=',
    'spec.color!=',
    'spec.size=1',
    'spec.size=10',
    'spec.size=',
    'spec.size=x',
    'spec.ready=true',
    'spec.ready=false',
    'spec.ready=',
    'spec.deep.kind=plain',
    'spec.deep.kind=',
    'spec.deep=x',
    'spec.color=red,spec.size=1,metadata.name=a',
    '.spec.color=red',
    'status.x=1',
  ]);
});
add('both kinds together', async (s) => {
  await three(s);
  for (const path of [s.configMaps, s.widgets]) {
    await s.get(`${path}?labelSelector=app%3Dx&fieldSelector=metadata.name%3Db`);
    await s.get(`${path}?labelSelector=app%3Dy&fieldSelector=metadata.name%3Db`);
    await s.get(`${path}?labelSelector=app%3Dx&fieldSelector=metadata.name%21%3Db&limit=1`);
  }
  await s.get(`${s.configMaps}?labelSelector=a&labelSelector=app`);
});
add('in a deletion of a collection', async (s) => {
  await three(s);
  await s.delete(`${s.configMaps}?fieldSelector=metadata.name%3Da`);
  await s.delete(`${s.configMaps}?labelSelector=app%3D%3D%3Dx`);
  await s.delete(`${s.configMaps}?fieldSelector=spec.x%3Da`);
  await s.delete(`${s.widgets}?fieldSelector=metadata.name%21%3Da&labelSelector=app%3Dx`);
  await s.get(s.configMaps);
  await s.get(s.widgets);
});
