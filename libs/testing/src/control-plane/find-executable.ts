import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Whether the path is a file that may be executed. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Absent or not allowed: both mean that it cannot be run.
    return false;
  }
}

/** The first executable of that name in the absolute folders of PATH. */
export async function findOnPath(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}
