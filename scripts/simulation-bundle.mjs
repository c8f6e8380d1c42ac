// Puts the simulation into one file that Node runs as it is.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
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
  for (const { name, file, find, plant } of defects) {
    const path = join(folder, 'libs/operator/src/engine', file);
    const code = readFileSync(path, 'utf8');
    if (code.split(find).length !== 2) {
      throw new Error(`The defect "${name}" does not fit: ${file} must hold its place exactly once.`);
    }
    // A function, as the text may hold what replace() takes for a pattern.
    writeFileSync(
      path,
      code.replace(find, () =>
        plant.replaceAll('PLANTED', `(globalThis as { plantedDefect?: string }).plantedDefect === '${name}'`),
      ),
    );
  }
}
