import { configMaps, widgets } from '../support/fixtures.js';
import { anyBody, bodyOf, samples } from './bodies.js';
import type { Dice } from './dice.js';
import { hostileDefinition, hostileInstance } from './hostile-definitions.js';
import { headers, isUnreadable, path, query } from './places.js';
import { protobufGarbage } from './protobuf-garbage.js';
import { questionOf, type Question } from './question.js';

/** Makes the questions of one case: mostly one. */
type Area = (dice: Dice, index: number) => Question[];

const methods = ['GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT'];
const contentTypes = [
  ['application/json', 'application/merge-patch+json', 'application/json-patch+json', 'text/html', ';'],
  ['application/strategic-merge-patch+json', 'application/apply-patch+yaml', 'application/yaml'],
  ['application/json; charset=utf-8', 'application/vnd.kubernetes.protobuf', 'application/cbor', ''],
].flat();

/** Anything anywhere. */
const requests: Area = (dice) => {
  const method = dice.pick(methods);
  const reads = method === 'GET' || method === 'HEAD';
  const body = reads && dice.chance(0.9) ? undefined : anyBody(dice);
  return [questionOf('requests', method, path(dice) + query(dice), body, dice.pick(contentTypes), headers(dice))];
};

/** Objects of many kinds, nearly right. */
const bodies: Area = (dice) => {
  const sample = dice.pick(samples);
  const name = dice.pick(['a', 'a', 'b']);
  const [method, place] = dice.pick([
    ['POST', ''],
    ['POST', ''],
    ['POST', ''],
    ['PUT', `/${name}`],
    ['PUT', `/${name}`],
    ['DELETE', `/${name}`],
  ] as const);
  const yaml = dice.chance(0.1);
  const parameters = dice.chance(0.3) ? query(dice) : dice.pick(['', '', '?dryRun=All', '?fieldValidation=Strict']);
  return [
    questionOf(
      'bodies',
      method,
      sample.path + place + parameters,
      bodyOf(dice, sample),
      yaml ? 'application/yaml' : undefined,
    ),
  ];
};

const operation = (dice: Dice): unknown => ({
  op: dice.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x', null]),
  path: dice.chance(0.05) ? dice.value(1) : pointer(dice),
  ...(dice.chance(0.5) ? { from: pointer(dice) } : {}),
  ...(dice.chance(0.8) ? { value: dice.value(2) } : {}),
});

function pointer(dice: Dice): string {
  const parts = dice.many(4, () => dice.pick([dice.key(), '0', '-1', '-', '~0', '~2', '99', '01']));
  return dice.chance(0.1) ? dice.text() : parts.map((part) => `/${part}`).join('');
}

/** Patches of each kind, on objects that are there. */
const patches: Area = (dice) => {
  const sample = dice.pick(samples);
  const place = `${sample.path}/${dice.pick(['a', 'a', 'a', 'absent'])}${dice.pick(['', '', '', '/status', '/scale'])}`;
  const kind = dice.pick(['merge', 'json', 'strategic', 'apply', 'apply'] as const);
  const document = dice.mutated(
    dice.chance(0.5) ? sample.body : { metadata: dice.value(2), spec: dice.value(), data: dice.value() },
  );
  const content = kind === 'json' ? (dice.chance(0.05) ? dice.value() : dice.many(4, () => operation(dice))) : document;
  const text = dice.chance(0.1) ? dice.damaged(JSON.stringify(content)) : JSON.stringify(content);
  const type = {
    merge: 'merge-patch+json',
    json: 'json-patch+json',
    strategic: 'strategic-merge-patch+json',
    apply: 'apply-patch+yaml',
  }[kind];
  const parameters = new URLSearchParams();
  if (kind === 'apply' ? dice.chance(0.9) : dice.chance(0.2))
    parameters.set('fieldManager', dice.pick(['m1', 'm2', '', 'x'.repeat(130)]));
  if (dice.chance(0.3)) parameters.set('force', dice.pick(['true', 'false', 'x']));
  if (dice.chance(0.2)) parameters.set('dryRun', dice.pick(['All', 'x']));
  if (dice.chance(0.2)) parameters.set('fieldValidation', dice.pick(['Strict', 'Ignore', 'x']));
  const patch = questionOf('patches', 'PATCH', `${place}?${parameters.toString()}`, text, `application/${type}`);
  // What earlier cases have deleted comes back now and then.
  return dice.chance(0.4) ? [questionOf('patches', 'POST', sample.path, JSON.stringify(sample.body)), patch] : [patch];
};

/** Selectors that are nearly right. */
const selectors: Area = (dice) => {
  const label = [
    ['a', 'a=b', 'a==b', 'a!=b', 'a in (b,c)', 'a notin (b)', '!a', 'x/y=z', 'a in ()', 'a=b=c', ',', 'a,,b', 'a in b'],
    ['!', '=', '((a))', 'a in (b', 'ä=b', 'a=ü', 'a>1', 'a<x', `${'a'.repeat(64)}=b`, `a=${'b'.repeat(64)}`, ' a = b '],
  ].flat();
  const fields = [
    ['metadata.name=a', 'metadata.namespace!=b', 'spec.nodeName=x', 'status.phase=Running', 'type=Opaque', 'x=y'],
    ['metadata.name', '=', 'metadata.name=a\\,b', 'metadata.name==a', 'a=b,', '\\', 'metadata.name in (a)'],
  ].flat();
  const make = (pool: readonly string[]): string => {
    const text = dice.many(3, () => dice.pick(pool)).join(',');
    return dice.chance(0.3) ? dice.damaged(text) : text;
  };
  const parameters = new URLSearchParams();
  if (dice.chance(0.7)) parameters.set('labelSelector', make(label).toWellFormed());
  if (dice.chance(0.6)) parameters.set('fieldSelector', make(fields).toWellFormed());
  if (dice.chance(0.2)) parameters.set('limit', dice.pick(['1', '0', '-1', 'x']));
  const place = dice.pick([
    configMaps,
    widgets,
    '/api/v1/namespaces/default/pods',
    '/api/v1/namespaces',
    '/api/v1/namespaces/default/events',
    '/api/v1/namespaces/default/secrets',
  ]);
  return [questionOf('selectors', dice.chance(0.9) ? 'GET' : 'DELETE', `${place}?${parameters.toString()}`)];
};

const messages: readonly [string, string, string][] = [
  ['/api/v1/namespaces', 'v1', 'Namespace'],
  [configMaps, 'v1', 'ConfigMap'],
  ['/api/v1/namespaces/default/secrets', 'v1', 'Secret'],
  ['/api/v1/namespaces/default/pods', 'v1', 'Pod'],
  ['/api/v1/namespaces/default/events', 'v1', 'Event'],
  ['/apis/coordination.k8s.io/v1/namespaces/default/leases', 'coordination.k8s.io/v1', 'Lease'],
  ['/apis/apps/v1/namespaces/default/deployments', 'apps/v1', 'Deployment'],
  ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'authorization.k8s.io/v1', 'SelfSubjectAccessReview'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  [`${configMaps}/a`, 'v1', 'DeleteOptions'],
];

const protobuf: Area = (dice) => {
  const [place, apiVersion, kind] = dice.pick(messages);
  const method = kind === 'DeleteOptions' ? 'DELETE' : dice.pick(['POST', 'POST', 'POST', 'PUT']);
  const wrong = dice.chance(0.05);
  const body = protobufGarbage(dice, wrong ? 'v1' : apiVersion, wrong ? 'Nothing' : kind);
  const target = method === 'PUT' ? `${place}/a` : place;
  return [questionOf('protobuf', method, target, body, 'application/vnd.kubernetes.protobuf')];
};

/** Definitions, and what is done with them where they are taken. */
const definitions: Area = (dice, index) => {
  const plural = `f${index}s`;
  const kind = `F${index}s`;
  const all = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const definition = hostileDefinition(dice, plural);
  const scope = (definition['spec'] as { scope: string }).scope;
  const place = `/apis/fuzz.example/v1/${scope === 'Cluster' ? '' : 'namespaces/default/'}${plural}`;
  const instance = (): string => JSON.stringify(hostileInstance(dice, kind));
  const merge = 'application/merge-patch+json';
  const area = 'definitions';
  return [
    questionOf(area, 'POST', all, JSON.stringify(definition)),
    questionOf(area, 'POST', place, instance()),
    questionOf(area, 'POST', place, instance()),
    questionOf(area, 'PATCH', `${place}/x`, JSON.stringify({ a: dice.value(), b: dice.value() }), merge),
    questionOf(area, 'PATCH', `${place}/x?fieldManager=m`, instance(), 'application/apply-patch+yaml'),
    questionOf(area, 'GET', place, undefined, undefined, headers(dice)),
    questionOf(area, 'GET', `/openapi/v3/apis/fuzz.example/v1`),
    questionOf(area, 'PUT', `${all}/${plural}.fuzz.example`, JSON.stringify(dice.mutated(definition))),
    questionOf(area, 'DELETE', `${all}/${plural}.fuzz.example`),
  ];
};

/** Definitions alone, and none that stays: on the real server each is served only after a while. */
const passingDefinitions: Area = (dice, index) => {
  const [definition] = definitions(dice, index);
  return [{ ...definition!, path: `${definition!.path}?dryRun=All` }];
};

const areas: readonly (readonly [Area, number])[] = [
  [requests, 6],
  [bodies, 6],
  [patches, 6],
  [selectors, 2],
  [protobuf, 3],
];

/** A path that cannot be read is refused with a body, also where none may be: no client can read that. */
const canBeRead = ({ method, path }: Question): boolean => method !== 'HEAD' || !isUnreadable(path);

/** The questions of a run, in order: the same for the same seed. `shared` ones can be asked of any server. */
export function* questions(dice: Dice, { shared = false } = {}): Generator<Question> {
  const weighted = [...areas, shared ? ([passingDefinitions, 3] as const) : ([definitions, 1] as const)];
  const bag = weighted.flatMap(([area, weight]) => Array.from({ length: weight }, () => area));
  for (let index = 0; ; index++) {
    for (const question of dice.pick(bag)(dice, index)) if (canBeRead(question)) yield question;
  }
}
