import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildStep, findToolchain } from './toolchain.js';

const request = {
  command: 'some-tool',
  args: ['--version'],
  version: /^Tool (\S+)/,
  oldest: '3.11',
  neededBy: 'The test of a client',
};

it('names what is missing, too old or broken, and what to do about it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolchain-'));
  try {
    const env = { PATH: folder };
    await expect(findToolchain(request, env)).rejects.toThrow(
      `The test of a client needs the command "some-tool", which is not on PATH (${folder}). Install some-tool 3.11 or newer and put it on PATH.`,
    );
    const path = join(folder, 'some-tool');
    const says = async (script: string): Promise<void> => {
      await writeFile(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, 0o755);
    };
    await says('echo Tool 3.9.1');
    await expect(findToolchain(request, env)).rejects.toThrow(`needs some-tool 3.11, and ${path} is 3.9.1.`);
    await says('echo it is broken >&2; exit 3');
    await expect(findToolchain(request, env)).rejects.toThrow('(exit code 3): it is broken.');
    await expect(buildStep(path, ['build'], { env })).rejects.toThrow(/build ended with exit code 3.*\nit is broken$/);
    await says('echo Tool 3.12.0');
    expect(await findToolchain(request, env)).toEqual({ path, version: '3.12.0' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
