// @ts-check
// Measures the embedded server beside the real one, in one run on one machine. With --write the figures go into
// docs/benchmarks.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { footprint } from './footprint.mjs';
import { measure } from './measure.mjs';
import { embedded, real } from './servers.mjs';

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));
const number = (/** @type {string} */ text) => {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no number`);
  return Number(text);
};
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '4000' },
    objects: { type: 'string', default: '10000' },
    watchers: { type: 'string', default: '1000' },
    idle: { type: 'string', default: '10000' },
    'without-real': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const size = {
  requests: number(values.requests),
  objects: number(values.objects),
  watchers: number(values.watchers),
  idle: number(values.idle),
};

/** @param {import('./servers.mjs').Server} server */
async function figuresOf(server) {
  try {
    return await measure(server, size);
  } finally {
    await server.close();
  }
}

/** @param {number} value @param {string} unit */
const shown = (value, unit) => `${value.toFixed(value < 10 ? 1 : 0)}${unit === '/s' ? '' : ` ${unit}`}`;
/** @param {number | undefined} value microseconds */
const processor = (value) =>
  value === undefined ? '' : value < 1_000 ? `${value.toFixed(0)} µs` : `${(value / 1_000).toFixed(1)} ms`;

const load = loadavg()[0] ?? 0;
const cost = footprint();
const ours = await figuresOf(await embedded());
const theirs = values['without-real'] ? undefined : await figuresOf(await real());

const lines = [
  '| what | embedded | its processor time | kube-apiserver and etcd | their processor time | ratio |',
  '| --- | --: | --: | --: | --: | --: |',
  ...ours.map(({ name, unit, wall, cpu }, index) => {
    const other = theirs?.[index];
    const ratio =
      other === undefined || unit === '%'
        ? ''
        : `${(unit === '/s' ? wall / other.wall : other.wall / wall).toFixed(1)} x`;
    const right = other === undefined ? ['', ''] : [shown(other.wall, unit), processor(other.cpu)];
    return `| ${[name, shown(wall, unit), processor(cpu), ...right, ratio].join(' | ')} |`;
  }),
  '',
  '| what the embedded server costs before it does anything | |',
  '| --- | --: |',
  ...cost.map(({ name, value }) => `| ${name} | ${value} |`),
  '',
  `Measured with Node ${process.version} on ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), load ${load.toFixed(1)} at the start; ` +
    `${size.requests} requests per round over 16 kept connections, the best of five rounds.`,
];
process.stdout.write(`${lines.join('\n')}\n`);

if (values.write) {
  const [begin, end] = ['<!-- apiserver: begin -->', '<!-- apiserver: end -->'];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the figures`);
  const next = `${text.slice(0, from + begin.length)}\n\n${lines.join('\n')}\n\n${text.slice(to)}`;
  writeFileSync(page, await format(next, { ...(await resolveConfig(page)), filepath: page }));
}
