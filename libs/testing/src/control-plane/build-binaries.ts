import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ControlPlaneBinary } from './binary-names.js';
import { BINARIES_FOLDER_VARIABLE } from './binaries-folder.js';
import { BuildLock } from './build-lock.js';
import { GO_PACKAGES, type BuildRecipe } from './build-recipe.js';
import { ControlPlaneError } from './control-plane-error.js';
import { isExecutable } from './find-executable.js';
import { findGoToolchain, goEnvironment, type GoToolchain } from './go-toolchain.js';
import { runCommand } from './run-command.js';
import { every, type Deadline } from './wait.js';

export interface BuildOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly deadline: Deadline;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Builds what the recipe's folder lacks of `names`. */
export async function buildBinaries(
  recipe: BuildRecipe,
  names: readonly ControlPlaneBinary[],
  options: BuildOptions,
): Promise<void> {
  const missing = await missingIn(recipe.folder, names);
  if (missing.length === 0) return;
  const toolchain = await findGoToolchain(recipe, options);
  const lock = await BuildLock.acquire(join(recipe.folder, '.lock'), {
    deadline: options.deadline,
    signal: options.signal,
    onWait: (holder) => options.progress(`waiting for ${holder}, which builds the control plane`),
    done: async () => (await missingIn(recipe.folder, names)).length === 0,
  });
  if (lock === undefined) return;
  try {
    await removeLeftovers(recipe.folder);
    for (const name of await missingIn(recipe.folder, names)) await buildOne(recipe, name, toolchain, options);
  } finally {
    await lock.release();
  }
}

async function missingIn(folder: string, names: readonly ControlPlaneBinary[]): Promise<ControlPlaneBinary[]> {
  const missing: ControlPlaneBinary[] = [];
  for (const name of names) if (!(await isExecutable(join(folder, name)))) missing.push(name);
  return missing;
}

/** What builders left that were killed between two steps, a day ago or more. */
async function removeLeftovers(folder: string): Promise<void> {
  const yesterday = Date.now() - 86_400_000;
  for (const name of await readdir(folder)) {
    if (!/^\.(building-|lock\.)/.test(name)) continue;
    const path = join(folder, name);
    if ((await stat(path)).mtimeMs < yesterday) await rm(path, { recursive: true, force: true });
  }
}

async function buildOne(
  recipe: BuildRecipe,
  name: ControlPlaneBinary,
  toolchain: GoToolchain,
  options: BuildOptions,
): Promise<void> {
  const goPackage = GO_PACKAGES[name];
  await mkdir(recipe.folder, { recursive: true });
  const staging = await mkdtemp(join(recipe.folder, `.building-${name}-`));
  const start = performance.now();
  const elapsed = (): string => `${Math.round((performance.now() - start) / 1000)} s`;
  options.progress(
    `building ${name} for Kubernetes ${recipe.version} with Go ${toolchain.version} ` +
      `(seconds with a warm Go build cache, minutes without)`,
  );
  const stopReports = every(30_000, () => options.progress(`still building ${name}, ${elapsed()} so far`));
  try {
    const result = await runCommand(
      toolchain.command,
      ['build', ...recipe.flags, '-o', join(staging, name), goPackage],
      {
        cwd: recipe.module,
        // Go's own temporary files go with the folder, also when the build is killed.
        env: { ...goEnvironment(options.env), GOTMPDIR: staging },
        folder: staging,
        timeout: options.deadline.remaining,
        signal: options.signal,
      },
    );
    if (result.exitCode !== 0) {
      throw new ControlPlaneError('CONTROL_PLANE_BUILD_FAILED', {
        found: result.timedOut
          ? `building ${name} took longer than ${elapsed()}`
          : `"go build" of ${name} ended with exit code ${result.exitCode} after ${elapsed()}`,
        where: `${goPackage} in ${recipe.module}, with ${toolchain.command}`,
        todo:
          'read the output below (a module proxy in reach, 5 GB of free disk and 2 GB of free memory are needed), ' +
          `or set ${BINARIES_FOLDER_VARIABLE} to a folder with the binaries`,
        output: result.tail,
      });
    }
    await rename(join(staging, name), join(recipe.folder, name));
    options.progress(`built ${name} in ${elapsed()} (${basename(recipe.folder)})`);
  } finally {
    stopReports();
    await rm(staging, { recursive: true, force: true, maxRetries: 5 });
  }
}
