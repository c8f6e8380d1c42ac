import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = join(root, 'test/process/fixtures');

/** The programs of `fixtures`, built in a folder of their own, from where they find their packages. */
export interface Programs {
  readonly folder: string;
  remove(): Promise<void>;
}

/** A folder in `place` that git, formatter, linter and compiler overlook. */
export async function scratchFolder(place: string): Promise<string> {
  const scratch = join(place, '.tmp');
  await mkdir(scratch, { recursive: true });
  return mkdtemp(join(scratch, 'run-'));
}

/**
 * Compiles the fixtures into a folder below `place`.
 *
 * @param check also checks types, against the packages found from there. The root's own are checked with everything else.
 */
export async function compilePrograms(folder: string, { check = false } = {}): Promise<Programs> {
  const names = (await readdir(sources)).filter((name) => name.endsWith('.ts'));
  for (const name of names) await cp(join(sources, name), join(folder, name));
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noCheck: !check,
      customConditions: [],
      rootDir: '.',
      outDir: '.',
      declaration: false,
      sourceMap: false,
      inlineSources: false,
    },
    files: names,
    references: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder]);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a tool to its end. */
export async function run(command: string, args: readonly string[], cwd = root): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${output}${errors}`);
  return output;
}
