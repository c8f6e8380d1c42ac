import { ControlPlaneError } from './control-plane-error.js';
import { findOnPath } from './find-executable.js';
import { runCommand } from './run-command.js';
import type { BuildRecipe } from './build-recipe.js';
import { BINARIES_FOLDER_VARIABLE } from './binaries-folder.js';

/** A Go command that is new enough for the module. */
export interface GoToolchain {
  readonly command: string;
  readonly version: string;
}

/** Compares dotted numbers; anything behind them (`rc1`) is left out. */
export function isOlder(version: string, wanted: string): boolean {
  const numbers = (text: string): number[] => (/^\d+(\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  const [left, right] = [numbers(version), numbers(wanted)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** The environment of every `go` command: the module stands alone, whatever workspace lies around it. */
export function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, CGO_ENABLED: '0', GOWORK: 'off' };
}

/** Finds `go` on PATH and checks its version in the module's folder, where Go may choose a newer one by itself. */
export async function findGoToolchain(
  recipe: BuildRecipe,
  options: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<GoToolchain> {
  const todo =
    `install Go ${recipe.goVersion} or newer and put it on PATH, ` +
    `or set ${BINARIES_FOLDER_VARIABLE} to a folder with the binaries`;
  const command = await findOnPath('go', options.env);
  if (command === undefined) {
    throw new ControlPlaneError('CONTROL_PLANE_TOOLCHAIN_MISSING', {
      found: `the control plane has to be built, and there is no command "go"`,
      where: `PATH=${options.env['PATH'] ?? ''}`,
      todo,
    });
  }
  const result = await runCommand(command, ['version'], {
    cwd: recipe.module,
    env: goEnvironment(options.env),
    // Go may have to fetch the toolchain that go.mod asks for.
    timeout: 300_000,
    signal: options.signal,
  });
  const version = /\bgo(\d[\w.]*)/.exec(result.stdout)?.[1];
  if (result.exitCode !== 0 || version === undefined || isOlder(version, recipe.goVersion)) {
    throw new ControlPlaneError('CONTROL_PLANE_TOOLCHAIN_TOO_OLD', {
      found:
        version === undefined
          ? `"go version" gave no version that can build the module (exit code ${result.exitCode})`
          : `Go ${version} is older than the ${recipe.goVersion} that the module asks for`,
      where: command,
      todo,
      output: result.exitCode === 0 ? [] : result.tail,
    });
  }
  return { command, version };
}
