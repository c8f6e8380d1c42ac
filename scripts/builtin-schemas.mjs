// @ts-check
// Writes libs/apiserver/src/schemas/definitions from the OpenAPI documents of a real kube-apiserver, which it starts,
// and from the Go types behind them: names, types and merge rules only, no descriptions. Build first (`npm run build`);
// Go is needed. The notation is explained in libs/apiserver/src/schemas/schema-notation.ts, which reads it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../libs/apiserver/src/schemas/definitions');

/** The documents that the definitions are taken from. */
const documents = [
  'api/v1',
  ...[
    'admissionregistration.k8s.io/v1',
    'apiextensions.k8s.io/v1',
    'apps/v1',
    'authentication.k8s.io/v1',
    'authorization.k8s.io/v1',
    'autoscaling/v1',
    'autoscaling/v2',
    'batch/v1',
    'coordination.k8s.io/v1',
    'discovery.k8s.io/v1',
    'events.k8s.io/v1',
    'networking.k8s.io/v1',
    'policy/v1',
    'rbac.authorization.k8s.io/v1',
    'scheduling.k8s.io/v1',
    'storage.k8s.io/v1',
  ].map((name) => `apis/${name}`),
];

/** Definitions that documents refer to beside those of the kinds. */
const common = ['DeleteOptions', 'ListMeta', 'Patch', 'Status', 'WatchEvent'].map(
  (name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`,
);

/** @typedef {Record<string, any>} Schema */
/** @typedef {{ name: string, type: string, kind: string, pointer: boolean, keep: boolean, omitzero: boolean, inline: string[] }} Field */

/**
 * Drops what the names of all definitions of a package have in common; `longName` in the sources puts it back.
 *
 * @param {string} name
 */
export const shortName = (name) =>
  name
    .replace(/^io\.k8s\.api\./, '')
    .replace(/^io\.k8s\.apimachinery\.pkg\.(apis\.|api\.|util\.)?/, '')
    .replace(/^io\.k8s\.apiextensions-apiserver\.pkg\.apis\./, '');

/** @param {Schema} schema */
const refOf = (schema) => schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0].$ref : undefined);

const nameOf = (/** @type {string} */ ref) => ref.slice(ref.lastIndexOf('/') + 1);

const scalars = /** @type {Record<string, string>} */ ({
  string: 's',
  'string date-time': 't',
  'string byte': 'y',
  integer: 'l',
  'integer int32': 'i',
  'integer int64': 'l',
  boolean: 'b',
  number: 'n',
  'number double': 'n',
});

/**
 * What a node is, without what else is said of it.
 *
 * @param {Schema} schema
 * @param {string} [element] the Go type of what it holds
 * @param {boolean} [member] whether it is a property
 * @returns {any}
 */
function encodeType(schema, element, member) {
  const ref = refOf(schema);
  if (ref !== undefined) return `${schema.$ref !== undefined && member ? '&' : '@'}${shortName(nameOf(ref))}`;
  if (schema.format === 'int-or-string') return 'x';
  if (schema.oneOf !== undefined) return 'q';
  if (schema.type === undefined) return '*';
  if (schema.type === 'array') return [encode(schema.items, element)];
  if (schema.type === 'object') {
    return schema.additionalProperties === undefined ? 'o' : { '*': encode(schema.additionalProperties, element) };
  }
  const code = scalars[[schema.type, schema.format].filter(Boolean).join(' ')];
  if (code === undefined) throw new Error(`no notation for ${JSON.stringify(schema)}`);
  return code;
}

const isZero = (/** @type {unknown} */ value) => ['""', '0', 'false', '{}'].includes(JSON.stringify(value));

/** The Go types of nodes whose names follow from the node. */
const plainTypes = /** @type {Record<string, string>} */ ({
  s: 'string',
  y: '[]uint8',
  i: 'int32',
  l: 'int64',
  n: 'float64',
  b: 'bool',
});

/**
 * The flags of a field behind its node.
 *
 * @param {Field | undefined} field
 * @param {boolean} zero
 */
function flags(field, zero) {
  const kept = field?.keep === true && (field.pointer || field.kind !== 'struct');
  return `${zero ? '=' : ''}${field?.pointer ? '?' : ''}${kept ? '!' : ''}${field?.omitzero ? '~' : ''}`;
}

/**
 * A property, an item of a list or a value of a map.
 *
 * @param {Schema} schema
 * @param {string} [goType]
 * @param {Field} [field]
 * @returns {any}
 */
function encode(schema, goType, field) {
  const element = goType?.replace(/^(\[\]|map\[[^\]]*\])/, '');
  let type = encodeType(schema, element === goType ? undefined : element, field !== undefined);
  /** @type {Record<string, unknown>} */
  const more = {};
  if (schema['x-kubernetes-list-type'] !== undefined) more.l = schema['x-kubernetes-list-type'];
  if (schema['x-kubernetes-list-map-keys'] !== undefined) more.k = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-map-type'] !== undefined) more.m = schema['x-kubernetes-map-type'];
  if (schema['x-kubernetes-patch-merge-key'] !== undefined) more.key = schema['x-kubernetes-patch-merge-key'];
  if (schema['x-kubernetes-patch-strategy'] !== undefined) more.s = schema['x-kubernetes-patch-strategy'];
  if (schema.enum !== undefined) more.e = schema.enum;
  const zero = schema.default !== undefined && isZero(schema.default);
  if (schema.default !== undefined && !(zero && typeof type === 'string')) more.d = schema.default;
  if (typeof type === 'string') {
    const plain = plainTypes[type];
    if (goType !== undefined && plain !== undefined && plain !== goType) type = `${type}:${goType}`;
    type += flags(field, zero);
  } else {
    if (field?.keep) more.n = 1;
    if (goType !== undefined && !/^(\[\]|map\[string\])/.test(goType)) more.go = goType;
  }
  return Object.keys(more).length === 0 ? type : { t: type, ...more };
}

/**
 * @param {Schema} schema
 * @param {readonly Field[] | undefined} fields
 */
function encodeDefinition(schema, fields) {
  if (schema.properties === undefined) return encode(schema);
  if (fields === undefined) throw new Error(`no Go type for ${JSON.stringify(schema)}`);
  const names = fields.map(({ name }) => name);
  const missing = [...names, ...Object.keys(schema.properties)].filter(
    (name) => !names.includes(name) || schema.properties[name] === undefined,
  );
  if (missing.length > 0) throw new Error(`the Go type and the document differ in ${missing.join(', ')}`);
  const kind = schema['x-kubernetes-group-version-kind'];
  const inline = fields.filter((field) => field.inline.length > 0).map(({ name, inline }) => [name, inline.join('.')]);
  return {
    p: Object.fromEntries(
      fields.map((field) => [field.name, encode(schema.properties[field.name], field.type, field)]),
    ),
    ...(schema.required === undefined ? {} : { r: schema.required }),
    ...(schema['x-kubernetes-map-type'] === undefined ? {} : { m: schema['x-kubernetes-map-type'] }),
    ...(inline.length === 0 ? {} : { in: Object.fromEntries(inline) }),
    ...(kind?.length === 1 ? { g: [kind[0].group, kind[0].version, kind[0].kind].join('/') } : {}),
  };
}

/**
 * The definitions that those of `roots` are made of, these included.
 *
 * @param {Record<string, Schema>} all
 * @param {readonly string[]} roots
 */
function closure(all, roots) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {string} */ name) => {
    if (found.has(name)) return;
    found.add(name);
    JSON.stringify(all[name], (key, value) => {
      if (key === '$ref' && typeof value === 'string') visit(nameOf(value));
      return value;
    });
  };
  for (const name of roots) visit(name);
  return [...found];
}

/**
 * Definitions as lines by the file that holds them.
 *
 * @param {Record<string, Schema>} all
 * @param {Record<string, Field[]>} types
 */
export function definitionFiles(all, types) {
  const roots = Object.keys(all).filter((name) => {
    const kinds = all[name]?.['x-kubernetes-group-version-kind'];
    return kinds?.length === 1 && all[name]?.properties?.items === undefined;
  });
  /** @type {Map<string, string[]>} */
  const files = new Map();
  for (const name of closure(all, [...roots, ...common]).sort()) {
    const short = shortName(name);
    const file = /^[a-z]+\.v\d+\./.test(short) ? short.split('.').slice(0, 2).join('-') : 'shared';
    const line = `${short} ${JSON.stringify(encodeDefinition(all[name] ?? {}, types[short]))}`;
    if (/[\\`]|\$\{/.test(line)) throw new Error(`${name} does not fit into a template`);
    files.set(file, [...(files.get(file) ?? []), line]);
  }
  return files;
}

/** @param {ReadonlyMap<string, readonly string[]>} files */
function write(files) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const header = '// Written by scripts/builtin-schemas.mjs.\n\n';
  const names = [...files.keys()].sort();
  const variable = (/** @type {string} */ name) => name.replaceAll(/-v(\d)/g, 'V$1');
  for (const name of names) {
    const lines = files.get(name) ?? [];
    writeFileSync(
      join(folder, `${name}.ts`),
      `${header}export const ${variable(name)}: string = \`\n${lines.join('\n')}\n\`;\n`,
    );
  }
  const imports = names.map((name) => `import { ${variable(name)} } from './${name}.js';\n`).join('');
  const list = names.map((name) => `  ${variable(name)},\n`).join('');
  writeFileSync(
    join(folder, 'index.ts'),
    `${header}${imports}\n/** Texts with one definition per line: its name, a space, and what it is in JSON. */\nexport const definitionTexts = [\n${list}];\n`,
  );
}

/** @returns {Record<string, Field[]>} */
function goTypes() {
  const program = join(import.meta.dirname, 'builtin-types.go');
  const cwd = join(import.meta.dirname, '../libs/testing/go');
  return JSON.parse(execFileSync('go', ['run', program], { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

async function main() {
  // By its path, which the type check must not follow: it exists only after a build.
  const launcher = '../libs/testing/dist/control-plane/index.js';
  const { startControlPlane } = await import(launcher);
  const plane = await startControlPlane({ components: ['kubectl'] });
  try {
    /** @type {Record<string, Schema>} */
    const all = {};
    for (const path of documents) {
      const { stdout } = await plane.kubectl(['get', '--raw', `/openapi/v3/${path}`]);
      Object.assign(all, JSON.parse(stdout).components.schemas);
    }
    const files = definitionFiles(all, goTypes());
    write(files);
    const lines = [...files.values()].flat();
    console.log(`${lines.length} definitions, ${lines.join('\n').length} bytes`);
  } finally {
    await plane.stop();
  }
}

if (import.meta.main) await main();
