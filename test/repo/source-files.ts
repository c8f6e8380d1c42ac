import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The files of the repository, committed or about to be, as paths from the root. */
export function repositoryFiles(): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** The TypeScript sources of the libraries. */
export function librarySources(): string[] {
  return repositoryFiles().filter((path) => /^libs\/[^/]+\/src\/.+\.ts$/.test(path));
}
