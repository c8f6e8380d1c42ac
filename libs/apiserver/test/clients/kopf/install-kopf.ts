import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from '../support/build-once.js';
import { buildStep, findToolchain } from '../support/toolchain.js';

/**
 * Answers the interpreter of a virtual environment with Kopf and the Kubernetes client of Python, in the versions and with
 * the hashes of the list.
 */
export async function installKopf(): Promise<string> {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const env = { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' };
  const found = await findToolchain(
    {
      command: 'python3',
      args: ['--version'],
      version: /^Python (\S+)/,
      oldest: '3.11',
      neededBy: 'A test with Kopf',
    },
    env,
  );
  const folder = await buildOnce('kopf', [await readFile(requirements, 'utf8'), found.version], async (target) => {
    await buildStep(found.path, ['-m', 'venv', target], { env });
    const install = ['-m', 'pip', 'install', '--quiet', '--no-input', '--require-hashes', '-r', requirements];
    await buildStep(join(target, 'bin/python'), install, { env });
  });
  return join(folder, 'bin/python');
}
