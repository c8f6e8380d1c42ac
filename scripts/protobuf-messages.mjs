// @ts-check
// Writes libs/apiserver/src/protobuf/message-table.ts from the Go types of Kubernetes: names, numbers and types of fields
// only. Needs Go; fetches the modules where they are not in its cache. The notation is explained in
// libs/apiserver/src/protobuf/message-notation.ts, which reads it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const version = 'v0.36.3';
const target = join(import.meta.dirname, '../libs/apiserver/src/protobuf/message-table.ts');

/** Packages whose kinds are taken, as they are called in the table. */
const packages = new Map([
  ['meta.v1', 'k8s.io/apimachinery/pkg/apis/meta/v1'],
  ['apiextensions.v1', 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1'],
  ...[
    'admissionregistration.v1',
    'apps.v1',
    'authentication.v1',
    'authorization.v1',
    'autoscaling.v1',
    'autoscaling.v2',
    'batch.v1',
    'certificates.v1',
    'coordination.v1',
    'core.v1',
    'discovery.v1',
    'events.v1',
    'networking.v1',
    'node.v1',
    'policy.v1',
    'rbac.v1',
    'scheduling.v1',
    'storage.v1',
  ].map((name) => /** @type {const} */ ([name, `k8s.io/api/${name.replace('.', '/')}`])),
]);

/** Options that are sent as bodies. */
const options = ['meta.v1.DeleteOptions'];

/** Types that print themselves, or that are no messages. */
const special = new Map([
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Time', 'T'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime', 'U'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1', 'F'],
  ['k8s.io/apimachinery/pkg/api/resource.Quantity', 'Q'],
  ['k8s.io/apimachinery/pkg/util/intstr.IntOrString', 'I'],
  ['k8s.io/apimachinery/pkg/runtime.RawExtension', 'R'],
  ['k8s.io/apimachinery/pkg/types.UID', 's'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON', 'R'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray', 'A'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool', 'B'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray', 'C'],
  ['string', 's'],
  ['[]byte', 'y'],
  ['bool', 'b'],
  ['int', 'i'],
  ['int32', 'i'],
  ['int64', 'i'],
  ['float64', 'd'],
]);

/** @typedef {{ go: string, type: string, json: string, options: string[], number: string, label: string }} Field */
/** @typedef {{ fields: Field[], resolve: (name: string) => string }} Struct */

/** @type {Map<string, Struct>} */
const structs = new Map();
/** @type {Map<string, string>} */
const aliases = new Map();

for (const path of packages.values()) readPackage(path);
const shortNames = new Map([...packages].map(([short, path]) => [path, short]));

/** @param {string} path */
function readPackage(path) {
  const [, module = '', rest = ''] = /^(k8s\.io\/[^/]+)\/?(.*)$/.exec(path) ?? [];
  const answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' });
  const folder = join(JSON.parse(answer).Dir, rest);
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || /_test\.go$|^zz_|generated/.test(file)) continue;
    readSource(path, readFileSync(join(folder, file), 'utf8'));
  }
}

/**
 * @param {string} path
 * @param {string} source
 */
function readSource(path, source) {
  /** @type {Map<string, string>} */
  const imports = new Map();
  const block = /^import \(([\s\S]*?)^\)/m.exec(source)?.[1] ?? '';
  for (const [, alias, imported = ''] of block.matchAll(/^\s*([\w.]+)?\s*"([^"]+)"/gm)) {
    imports.set(alias ?? /([^/]+)$/.exec(imported)?.[1] ?? '', imported);
  }
  /** @param {string} name */
  const resolve = (name) => {
    const dot = name.indexOf('.');
    if (dot < 0) return /^[a-z[]/.test(name) ? name : `${path}.${name}`;
    return `${imports.get(name.slice(0, dot))}${name.slice(dot)}`;
  };
  for (const [, name, type = ''] of source.matchAll(/^type (\w+) =? ?([^\s{]+)$/gm)) {
    aliases.set(`${path}.${name}`, type.startsWith('map[') || type.startsWith('[]') ? type : resolve(type));
    if (type.startsWith('map[') || type.startsWith('[]')) structs.set(`${path}.${name}`, { fields: [], resolve });
  }
  for (const [, name, body = ''] of source.matchAll(/^type (\w+) struct ?\{(?:\}|\n([\s\S]*?)^\})/gm)) {
    /** @type {Field[]} */
    const fields = [];
    for (const [, go, type = '', tag = ''] of body.matchAll(/^\t(?:(\w+)[ \t]+)?([\w.*[\]]+)[ \t]+`([^`]*)`/gm)) {
      const [json = '', ...rest] = (/json:"([^"]*)"/.exec(tag)?.[1] ?? '').split(',');
      const [, number, label = ''] = /protobuf:"\w+,(\d+),(\w+)/.exec(tag) ?? [];
      if (number === undefined) continue;
      fields.push({ go: go ?? /(\w+)$/.exec(type)?.[1] ?? '', type, json, options: rest, number, label });
    }
    structs.set(`${path}.${name}`, { fields, resolve });
  }
}

/** @type {Map<string, string>} */
const lines = new Map();
/** @type {string[]} */
const wanted = [];

/**
 * How a Go type is written in the table.
 *
 * @param {string} given
 * @param {Struct['resolve']} resolve
 * @param {boolean} repeated
 * @returns {string}
 */
function notation(given, resolve, repeated) {
  if (given.startsWith('*')) return `*${notation(given.slice(1), resolve, repeated)}`;
  if (given === '[]byte') return 'y';
  if (given.startsWith('[]')) {
    return `${repeated ? '[' : 'L'}${notation(given.slice(2), resolve, true)}`;
  }
  if (given.startsWith('map[')) return `{${notation(given.slice(given.indexOf(']') + 1), resolve, false)}`;
  const name = resolve(given);
  const known = special.get(name);
  if (known !== undefined) return known;
  const alias = aliases.get(name);
  if (alias !== undefined) return notation(alias, structs.get(name)?.resolve ?? ((same) => same), repeated);
  const message = messageName(name);
  wanted.push(name);
  return `@${message}`;
}

/** @param {string} name */
function messageName(name) {
  const dot = name.lastIndexOf('.');
  const short = shortNames.get(name.slice(0, dot));
  if (short === undefined || !structs.has(name)) throw new Error(`unknown type ${name}`);
  return `${short}.${name.slice(dot + 1)}`;
}

/** @param {string} name */
function addMessage(name) {
  const message = messageName(name);
  if (lines.has(message)) return;
  lines.set(message, '');
  const { fields, resolve } = /** @type {Struct} */ (structs.get(name));
  const own = message.slice(0, message.lastIndexOf('.') + 1);
  const texts = fields.map(({ go, type, json, options: flags, number, label }) => {
    const spelled = json === '' ? '' : json[0]?.toUpperCase() + json.slice(1);
    const goName = spelled === go ? '' : `=${go}`;
    const presence = flags.includes('inline')
      ? '+'
      : flags.includes('omitzero')
        ? '!'
        : flags.includes('omitempty')
          ? '?'
          : '';
    // A list type with a name is a message of its own, whose first field are the items, unless it is said to repeat.
    const repeated = type.startsWith('[]') || label === 'rep';
    return `${json}${goName}:${number}${presence}${notation(type, resolve, repeated).replace(`@${own}`, '@')}`;
  });
  lines.set(message, `${message} ${texts.join(' ')}`);
}

for (const [name, { fields }] of structs) {
  const isKind = fields.some(({ go, type }) => go === 'ObjectMeta' && /(^|\.)ObjectMeta$/.test(type));
  if (name.endsWith('.PartialObjectMetadata') || name.endsWith('.PodTemplateSpec')) continue;
  if (isKind && packages.has(messageName(name).slice(0, messageName(name).lastIndexOf('.')))) wanted.push(name);
}
for (const name of options) {
  const dot = name.lastIndexOf('.');
  wanted.push(`${packages.get(name.slice(0, dot))}${name.slice(dot)}`);
}
for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) addMessage(next);

const text = [...lines.values()].toSorted().join('\n');
writeFileSync(
  target,
  `// Written by scripts/protobuf-messages.mjs.

/** One message per line: its name and its fields. */
export const messageTable = \`
${text}
\`;
`,
);
console.log(`${lines.size} messages, ${text.length} characters`);
