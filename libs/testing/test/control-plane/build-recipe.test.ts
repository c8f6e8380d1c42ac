import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildKey,
  cacheRoot,
  goBuildFlags,
  GO_PACKAGES,
  KUBERNETES_VERSION,
  readBuildRecipe,
  type BuildInputs,
} from '../../src/control-plane/build-recipe.js';

const inputs: BuildInputs = {
  version: '1.36.3',
  goMod: 'module x\n',
  goSum: 'sum\n',
  flags: ['-trimpath'],
  platform: 'linux',
  arch: 'x64',
};

describe('the key of a build', () => {
  it('is the same for the same inputs and readable', () => {
    expect(buildKey({ ...inputs })).toBe(buildKey(inputs));
    expect(buildKey(inputs)).toMatch(/^v1\.36\.3-linux-x64-[0-9a-f]{16}$/);
  });

  it.each<Partial<BuildInputs>>([
    { version: '1.36.4' },
    { goMod: 'module y\n' },
    { goSum: 'other\n' },
    { flags: ['-trimpath', '-race'] },
    { flags: [] },
    { platform: 'darwin' },
    { arch: 'arm64' },
    { goMod: 'module x\ns', goSum: 'um\n' },
  ])('changes with %j', (change) => {
    expect(buildKey({ ...inputs, ...change })).not.toBe(buildKey(inputs));
  });
});

describe('the cache', () => {
  it('lies under XDG_CACHE_HOME, or under ~/.cache when that is unset or relative', () => {
    expect(cacheRoot({ XDG_CACHE_HOME: '/cache', HOME: '/home/u' })).toBe('/cache/nestjs-operator/control-plane');
    expect(cacheRoot({ HOME: '/home/u' })).toBe('/home/u/.cache/nestjs-operator/control-plane');
    expect(cacheRoot({ XDG_CACHE_HOME: 'cache', HOME: '/home/u' })).toBe(
      '/home/u/.cache/nestjs-operator/control-plane',
    );
  });
});

describe('the Go module of this package', () => {
  it('requires the version that is built, with every staging module at the same minor and patch', async () => {
    const { module, goVersion, folder, key } = await readBuildRecipe({ HOME: '/home/u' });
    const goMod = await readFile(join(module, 'go.mod'), 'utf8');
    expect(goMod).toContain(`k8s.io/kubernetes v${KUBERNETES_VERSION}`);
    expect(goVersion).toMatch(/^1\.\d+/);
    expect(folder).toBe(`/home/u/.cache/nestjs-operator/control-plane/${key}`);

    const staging = KUBERNETES_VERSION.replace(/^1\./, 'v0.');
    const unpublished = [...goMod.matchAll(/^\t(\S+) v0\.0\.0(?: \/\/ indirect)?$/gm)].map((match) => match[1]);
    const replaced = [...goMod.matchAll(/^\t(\S+) => \1 (\S+)$/gm)];
    expect(unpublished.length).toBeGreaterThan(0);
    expect(replaced.map((match) => match[1])).toEqual(expect.arrayContaining(unpublished));
    expect(new Set(replaced.map((match) => match[2]))).toEqual(new Set([staging]));
  });

  it('names the package of each binary as a tool, and has its checksum', async () => {
    const { module } = await readBuildRecipe({ HOME: '/home/u' });
    const goMod = await readFile(join(module, 'go.mod'), 'utf8');
    const goSum = await readFile(join(module, 'go.sum'), 'utf8');
    const tools = /^tool \(\n([^)]*)\)/m.exec(goMod)?.[1]?.trim().split(/\s+/);
    expect(tools?.toSorted()).toEqual(Object.values(GO_PACKAGES).toSorted());
    expect(goSum).toContain(`k8s.io/kubernetes v${KUBERNETES_VERSION} h1:`);
    expect(goSum).toContain('go.etcd.io/etcd/server/v3 v3.');
  });

  it('tells the version to both packages that report it', () => {
    const flags = goBuildFlags('1.36.3').join(' ');
    for (const name of ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']) {
      expect(flags).toContain(`-X ${name}.gitVersion=v1.36.3 -X ${name}.gitMajor=1 -X ${name}.gitMinor=36`);
    }
  });
});
