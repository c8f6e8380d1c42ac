// @ts-check
// What the package costs before it does anything: disk, import, memory, start. Only the embedded server has figures here.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} folder @returns {number} */
function bytesIn(folder) {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += entry.name === 'node_modules' ? 0 : bytesIn(path);
    else if (entry.isFile()) sum += statSync(path).size;
  }
  return sum;
}

/** A package of the tree, found as Node finds it. @param {string} name @param {string} from */
function packageFolder(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) throw new Error(`${name} is not installed`);
  }
}

/** Bytes and number of packages that an installation brings. */
function installation() {
  const library = join(root, 'libs/apiserver');
  const packed = JSON.parse(execFileSync('npm', ['pack', '--json', '--dry-run'], { cwd: library, encoding: 'utf8' }));
  const [{ unpackedSize }] = Array.isArray(packed) ? packed : Object.values(packed);
  const seen = new Set();
  let bytes = unpackedSize;
  /** @param {string} folder */
  const visit = (folder) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const found = packageFolder(name, folder);
      if (seen.has(found)) continue;
      seen.add(found);
      bytes += bytesIn(found);
      visit(found);
    }
  };
  visit(library);
  return { bytes, packages: seen.size + 1 };
}

/** @param {string} script */
function inNewProcess(script) {
  const output = execFileSync(process.execPath, ['--input-type=module', '--expose-gc', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

const importScript = `
gc();
const before = process.memoryUsage().heapUsed;
const begun = performance.now();
await import('@nestjs-operator/apiserver');
const ms = performance.now() - begun;
gc();
console.log(JSON.stringify({ ms, heap: process.memoryUsage().heapUsed - before }));
`;

const startScript = `
import { request } from 'node:http';
import { readFileSync } from 'node:fs';
import { startApiServer } from '@nestjs-operator/apiserver';
const crds = [readFileSync('apps/demo/manifests/crd.yaml', 'utf8')];
const ask = (url) => new Promise((resolve, reject) => {
  request(url, { agent: false }, (response) => response.resume().on('end', resolve)).on('error', reject).end();
});
const times = [];
for (let round = 0; round < 30; round++) {
  const begun = performance.now();
  const api = await startApiServer({ crds });
  await ask(api.url + '/api/v1/namespaces/default');
  times.push(performance.now() - begun);
  await api.close();
}
console.log(JSON.stringify({ first: times[0], median: times.slice(1).sort((a, b) => a - b)[14] }));
`;

/** @param {number[]} values */
const median = (values) => /** @type {number} */ (values.sort((a, b) => a - b)[values.length >> 1]);

/** @returns {{ name: string, value: string }[]} */
export function footprint() {
  const { bytes, packages } = installation();
  const imports = Array.from({ length: 5 }, () => inNewProcess(importScript));
  const starts = Array.from({ length: 3 }, () => inNewProcess(startScript));
  const ms = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  return [
    { name: 'Installed, dependencies included', value: `${(bytes / 2 ** 20).toFixed(1)} MB, ${packages} packages` },
    {
      name: 'Import',
      value: `${ms(median(imports.map((each) => each.ms)))}, ${(median(imports.map((each) => each.heap)) / 2 ** 20).toFixed(1)} MB of heap`,
    },
    { name: 'Start to first answer, first of the process', value: ms(median(starts.map(({ first }) => first))) },
    { name: 'Start to first answer, later ones', value: ms(median(starts.map((each) => each.median))) },
  ];
}
