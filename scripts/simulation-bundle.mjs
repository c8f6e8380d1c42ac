// Puts the simulation into one file that Node runs as it is.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

export const root = join(import.meta.dirname, '..');
const simulation = 'libs/operator/test/simulation';
const conditions = ['nestjs-operator-source', 'node'];

/** Bundles the simulation of the sources below `from` into `folder`; answers the path of its worker. */
export async function bundleSimulation(folder, from = root) {
  await build({
    root: from,
    configFile: false,
    logLevel: 'error',
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['node'] } },
    build: {
      ssr: join(from, simulation, 'command/worker.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return join(folder, 'worker.mjs');
}

/**
 * Copies the sources that the simulation is made of into `folder`, with every defect planted: each comes alive when
 * `globalThis.plantedDefect` has its name.
 */
export function copyWithDefects(folder, defects) {
  for (const path of ['libs/operator/src', simulation, 'libs/apiserver/src']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const engine = join(folder, 'libs/operator/src/engine');
  const files = readdirSync(engine, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(engine, file));
  for (const { name, find, plant } of defects) {
    const places = files.filter((file) => readFileSync(file, 'utf8').includes(find));
    const code = places.length === 1 ? readFileSync(places[0], 'utf8') : '';
    if (code.split(find).length !== 2) {
      throw new Error(
        `The defect "${name}" does not fit the engine any more: say in planted-defects.ts where it goes now.`,
      );
    }
    const condition = `(globalThis as { plantedDefect?: string }).plantedDefect === '${name}'`;
    // A function, as the text may hold what replace() takes for a pattern.
    writeFileSync(
      places[0],
      code.replace(find, () => plant.replaceAll('PLANTED', condition)),
    );
  }
}
