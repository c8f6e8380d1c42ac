import { join, resolve } from 'node:path';
import { BINARIES_FOLDER_VARIABLE } from './binaries-folder.js';
import type { ControlPlaneBinary } from './binary-names.js';
import { buildBinaries } from './build-binaries.js';
import { readBuildRecipe } from './build-recipe.js';
import { ControlPlaneError } from './control-plane-error.js';
import { findOnPath, isExecutable } from './find-executable.js';
import { Deadline } from './wait.js';

/** Options of {@link ensureControlPlaneBinaries}. */
export interface EnsureBinariesOptions {
  /** Where PATH, HOME, XDG_CACHE_HOME and NESTJS_OPERATOR_CONTROL_PLANE_BIN are read. @defaultValue `process.env` */
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a kubectl on PATH will do, whatever its version, when none is built yet. @defaultValue false */
  readonly kubectlFromPath?: boolean;
  /** Receives one readable line per step of a build. @defaultValue a line on stderr */
  readonly progress?: (line: string) => void;
  /** Milliseconds for everything together, another process's build included. @defaultValue 3600000 (1 h) */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/**
 * Finds the binaries that are asked for, and builds those that are absent.
 *
 * With NESTJS_OPERATOR_CONTROL_PLANE_BIN set, they must lie in that folder and nothing is built. Otherwise they are
 * built once with the Go toolchain into `$XDG_CACHE_HOME/nestjs-operator/control-plane/<key>` (or below `~/.cache`).
 *
 * @returns the absolute path of each
 * @throws {@link ControlPlaneError} CONTROL_PLANE_BINARY_MISSING, CONTROL_PLANE_TOOLCHAIN_MISSING,
 * CONTROL_PLANE_TOOLCHAIN_TOO_OLD, CONTROL_PLANE_BUILD_FAILED, CONTROL_PLANE_BUILD_LOCK_TIMEOUT,
 * CONTROL_PLANE_PLATFORM_UNSUPPORTED
 */
export async function ensureControlPlaneBinaries<Name extends ControlPlaneBinary>(
  names: readonly Name[],
  options: EnsureBinariesOptions = {},
): Promise<Record<Name, string>> {
  const env = options.env ?? process.env;
  const paths: Partial<Record<ControlPlaneBinary, string>> = {};
  const given = env[BINARIES_FOLDER_VARIABLE];
  const recipe = given ? undefined : await readBuildRecipe(env);
  const folder = recipe?.folder ?? resolve(given ?? '');

  const missing: ControlPlaneBinary[] = [];
  for (const name of new Set<ControlPlaneBinary>(names)) {
    const path = join(folder, name);
    if (await isExecutable(path)) paths[name] = path;
    else missing.push(name);
  }
  if (options.kubectlFromPath && missing.includes('kubectl')) {
    const found = await findOnPath('kubectl', env);
    if (found !== undefined) {
      paths.kubectl = found;
      missing.splice(missing.indexOf('kubectl'), 1);
    }
  }
  if (missing.length > 0) {
    if (recipe === undefined) {
      throw new ControlPlaneError('CONTROL_PLANE_BINARY_MISSING', {
        found: `no executable ${missing.join(', ')}`,
        where: `${folder} (from ${BINARIES_FOLDER_VARIABLE})`,
        todo: `put the named files there, or unset ${BINARIES_FOLDER_VARIABLE} to have them built with Go`,
      });
    }
    await buildBinaries(recipe, missing, {
      env,
      deadline: new Deadline(options.timeout ?? 3_600_000),
      progress: options.progress ?? printProgress,
      signal: options.signal,
    });
    for (const name of missing) paths[name] = join(recipe.folder, name);
  }
  return paths as Record<Name, string>;
}

function printProgress(line: string): void {
  process.stderr.write(`control plane: ${line}\n`);
}
