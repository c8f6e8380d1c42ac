import type { JsonObject } from '../../../src/index.js';
import { apiVersion, configMap, widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('negotiation');
export const negotiationCases = cases;

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

add('what is accepted', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('c'));
  await s.quietly('POST', s.widgets, widget('a'));
  for (const accept of [
    '*/*',
    'application/*',
    'application/json;charset=utf-8',
    'application/json;q=0.1',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    `${table},application/json`,
    'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
    'application/json;as=Nope;v=v1;g=meta.k8s.io,application/json',
    'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    'application/json; as=PartialObjectMetadata; v=v1; g=meta.k8s.io',
    'application/json;stream=watch',
    'application/json;pretty=0',
  ]) {
    for (const path of [`${s.configMaps}/c`, `${s.widgets}/a`]) {
      const { status, headers, json } = await s.quietlyAccepting(path, accept);
      s.note(`${accept} ${path === `${s.widgets}/a` ? 'custom' : 'built-in'}`, {
        status,
        type: headers['content-type'],
        kind: json?.kind,
        apiVersion: json?.apiVersion,
        message: json?.message,
      });
    }
  }
});
add('what is not accepted', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('c'));
  for (const accept of [
    'text/html',
    'application/xml',
    'application/json;as=Table;v=v2;g=meta.k8s.io',
    'application/json;as=Table;v=v1;g=other',
    'application/json;as=Nope;v=v1;g=meta.k8s.io',
    metadataList,
    'nonsense',
    'application/json;as',
  ]) {
    await s.get(`${s.configMaps}/c`, accept);
    await s.get(s.widgets, accept);
  }
  await s.request('POST', s.configMaps, { body: configMap('d'), accept: 'text/html' });
  await s.get(`${s.configMaps}/d`);
});
add('a table of one object', async (s) => {
  await s.post(s.widgets, widget('a'));
  await s.get(`${s.widgets}/a`, table);
  await s.get(`${s.widgets}/a?includeObject=Object`, table);
  await s.get(`${s.widgets}/none`, table);
  await s.request('POST', s.widgets, { body: widget('b', { size: 2 }), accept: table });
  await s.request('PATCH', `${s.widgets}/a`, {
    body: { spec: { size: 3 } },
    contentType: 'application/merge-patch+json',
    accept: table,
  });
  await s.request('DELETE', `${s.widgets}/a`, { accept: table });
});
add('metadata of what is written', async (s) => {
  await s.request('POST', s.widgets, { body: widget('a'), accept: metadataOnly });
  await s.request('PATCH', `${s.widgets}/a`, {
    body: { metadata: { labels: { a: 'b' } } },
    contentType: 'application/merge-patch+json',
    accept: metadataOnly,
  });
  await s.get(`${s.widgets}/a`, metadataOnly);
  await s.get(s.widgets, metadataOnly);
  await s.get(`${s.widgets}/a`, metadataList);
  await s.get(`${s.widgets}/a/scale`, metadataOnly);
  await s.request('DELETE', `${s.widgets}/a`, { accept: metadataOnly });
  await s.request('DELETE', s.widgets, { accept: metadataList });
});
add('YAML answers', async (s) => {
  await s.post(s.widgets, widget('a', { text: 'a: b', any: { list: [1, 'x', true, null, 1.5], empty: {}, none: [] } }));
  const { text, headers, status } = await s.quietlyAccepting(`${s.widgets}/a`, 'application/yaml');
  s.note('type', [status, headers['content-type']]);
  s.note('lines of the spec', text.slice(text.lastIndexOf('\nspec:')).split('\n'));
  const missing = await s.quietlyAccepting(`${s.widgets}/none`, 'application/yaml');
  s.note('an error', [missing.status, missing.headers['content-type'], missing.text]);
});
add('protobuf and CBOR are not asked for alone', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.get(`${s.widgets}/a`, 'application/vnd.kubernetes.protobuf');
  await s.get(`${s.widgets}/a`, 'application/vnd.kubernetes.protobuf,application/json');
  await s.get(`${s.widgets}/a`, 'application/cbor');
  await s.get(`${s.widgets}/a`, 'application/cbor,application/json');
  await s.get(`${s.configMaps}/none`, 'application/cbor');
});
add('media types of bodies', async (s) => {
  const body = JSON.stringify(widget('a'));
  for (const contentType of [
    'application/json; charset=utf-8',
    'application/json;stream=watch',
    'APPLICATION/JSON',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/cbor',
    'application/octet-stream',
    '*/*',
    'application/*',
    'nonsense',
    'application/json, application/yaml',
  ]) {
    await s.request('POST', `${s.widgets}?dryRun=All`, { body, contentType });
    await s.request('POST', `${s.configMaps}?dryRun=All`, { body: JSON.stringify(configMap('c')), contentType });
  }
  await s.request('POST', `${s.widgets}?dryRun=All`, { body, headers: { 'content-type': undefined } });
  await s.request('PUT', `${s.widgets}/a`, { body, contentType: 'text/plain' });
  await s.request('PATCH', `${s.widgets}/a`, { body: '{}', contentType: 'application/json' });
  await s.request('PATCH', `${s.widgets}/a`, { body: '{}', headers: { 'content-type': undefined } });
  await s.request('PATCH', `${s.configMaps}/a`, { body: '{}', contentType: 'application/json' });
  await s.request('PATCH', `${s.widgets}/a`, {
    body: '{}',
    contentType: 'application/merge-patch+json; charset=utf-8',
  });
});
add('gzip', async (s) => {
  const headers = { 'accept-encoding': 'gzip' };
  await s.quietly('POST', s.configMaps, configMap('small'));
  await s.request('GET', `${s.configMaps}/small`, { headers });
  await s.quietly('POST', s.configMaps, configMap('big', { a: 'x'.repeat(140_000) }));
  const big = await s.quietlyAccepting(`${s.configMaps}/big`, '*/*', headers);
  s.note('a big one', {
    encoding: big.headers['content-encoding'],
    vary: big.headers['vary'],
    length: big.json.data.a.length,
  });
  const plain = await s.quietlyAccepting(`${s.configMaps}/big`, '*/*');
  s.note('a big one, not asked for', { encoding: plain.headers['content-encoding'], vary: plain.headers['vary'] });
  const list = await s.quietlyAccepting(s.configMaps, '*/*', { 'accept-encoding': 'deflate, gzip;q=1.0' });
  s.note('a list', { encoding: list.headers['content-encoding'], items: list.json.items.length });
  const other = await s.quietlyAccepting(s.configMaps, '*/*', { 'accept-encoding': 'br' });
  s.note('another encoding', { encoding: other.headers['content-encoding'] });
  await s.watch(`${s.configMaps}?watch=1&fieldSelector=metadata.name%3Dsmall&timeoutSeconds=60`, 1, { headers });
});
add('a body that is too big', async (s) => {
  const big = JSON.stringify(configMap('c', { a: 'x'.repeat(3_145_728) }));
  await s.post(s.configMaps, big);
  await s.put(`${s.configMaps}/c`, big);
  await s.patch('merge', `${s.configMaps}/c`, big);
  await s.post(s.widgets, JSON.stringify(widget('a', { any: { a: 'x'.repeat(3_145_728) } })));
  await s.delete(`${s.configMaps}/c`, big);
});
add('an object that is too big', async (s) => {
  await s.post(s.configMaps, configMap('c', { a: 'x'.repeat(1_048_577) }));
  await s.post(s.widgets, widget('a', { any: { a: 'x'.repeat(1_600_000) } }));
  await s.post(s.widgets, widget('b'));
  await s.patch('merge', `${s.widgets}/b`, { spec: { any: { a: 'x'.repeat(1_600_000) } } });
  await s.get(`${s.widgets}/b`);
});
add('HEAD and OPTIONS', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.request('HEAD', `${s.widgets}/a`);
  await s.request('HEAD', s.widgets);
  await s.request('HEAD', `${s.widgets}/none`);
  await s.request('HEAD', '/version');
  await s.request('OPTIONS', s.widgets);
  await s.request('OPTIONS', `${s.configMaps}/c`);
  await s.request('TRACE', `${s.widgets}/a`);
  await s.request('PROPFIND', `${s.widgets}/a`);
});
add('paths', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  for (const path of [
    `${s.widgets}/`,
    `${s.widgets}/a/`,
    `/${s.widgets}`,
    s.widgets.replace('/namespaces', '//namespaces'),
    `${s.widgets}/%61`,
    `${s.widgets}/a%2Fb`,
    `${s.widgets}/..`,
    `${s.widgets}/%2E%2E`,
    s.widgets.replace('/widgets', '/Widgets'),
    s.widgets.replace('/widgets', '/widget'),
    s.widgets.replace('/widgets', '/wd'),
    `/apis/${apiVersion}/namespaces/${s.namespace}`,
    `/apis/${apiVersion}/namespaces`,
    `/api/v1/namespaces/${s.namespace}/namespaces`,
    `/apis/${apiVersion}/watch/namespaces/${s.namespace}/widgets/a/b/c`,
    '/apis/apps/v1/namespaces/',
    '/api/v1/namespaces//configmaps',
    '/api/v1/nodes/none',
    `/api/v1/namespaces/${s.namespace}/nodes`,
  ]) {
    const { status, headers, json, text } = await s.quietly('GET', path);
    s.note(path.replaceAll(s.namespace, '<namespace>'), {
      status,
      type: headers['content-type'],
      location: headers['location'],
      kind: json?.kind ?? text.trim(),
      message: json?.message,
      details: json?.details,
    });
  }
});
add('query parameters that are unknown or twice', async (s) => {
  await s.quietly('POST', s.configMaps, configMap('a', {}, { labels: { x: 'y' } }));
  await s.quietly('POST', s.configMaps, configMap('b'));
  for (const query of [
    'unknown=1',
    'limit=1&limit=2',
    'limit=2&limit=1',
    'labelSelector=x&labelSelector=%21x',
    'LIMIT=1',
    'limit=1;labelSelector=x',
    'limit',
    'limit=%31',
    'labelSelector=x+',
    'labelSelector=%zz',
    '&&&',
    '=x',
  ]) {
    const { status, json } = await s.quietly('GET', `${s.configMaps}?${query}`);
    const items = json?.items as { metadata: { name: string } }[] | undefined;
    s.note(
      query,
      items === undefined ? { status, message: json?.message } : items.map(({ metadata }) => metadata.name),
    );
  }
});
add('pretty answers', async (s) => {
  await s.quietly('POST', s.widgets, widget('a'));
  await s.quietly('POST', s.configMaps, configMap('c'));
  const shape = (text: string): unknown => ({
    lines: text.split('\n').length,
    indent: /\n( +)"/.exec(text)?.[1],
    end: text.endsWith('\n'),
  });
  const headers: Record<string, JsonObject> = {
    'a browser': { 'user-agent': 'Mozilla/5.0 (X11)' },
    curl: { 'user-agent': 'curl/8.0' },
    wget: { 'user-agent': 'Wget/1.21' },
    'no name': { 'user-agent': undefined },
    'a client': { 'user-agent': 'kubectl/v1.36.3' },
  };
  for (const [who, given] of Object.entries(headers)) {
    for (const query of ['', '?pretty=1', '?pretty=0', '?pretty']) {
      const { text } = await s.quietlyAccepting(`${s.configMaps}/c${query}`, '*/*', given as Record<string, string>);
      s.note(`${who} ${query}`, shape(text));
    }
  }
  for (const path of [`${s.widgets}/a`, `${s.widgets}/none`, s.configMaps, '/version', '/api', '/apis/apps']) {
    for (const query of ['', '?pretty=1']) {
      const { text } = await s.quietlyAccepting(path + query, '*/*');
      s.note(`${path.replaceAll(s.namespace, '<namespace>')}${query}`, {
        breaks: text.trim().includes('\n'),
        end: text.endsWith('\n'),
      });
    }
  }
});
