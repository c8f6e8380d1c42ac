import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBuildRecipe } from '../../src/control-plane/build-recipe.js';
import { ControlPlaneError, ensureControlPlaneBinaries } from '../../src/control-plane/index.js';
import { temporaryFolder, writeScript } from './fixtures.js';

interface Setup {
  env: NodeJS.ProcessEnv;
  cache: string;
  builds: () => Promise<string[]>;
}

/** A `go` that tells the given version and, instead of compiling, runs the lines of `build` with $out and $package. */
async function withGo(version: string, build: readonly string[]): Promise<Setup> {
  const folder = await temporaryFolder();
  const log = join(folder, 'builds');
  await writeFile(log, '');
  await writeScript(join(folder, 'bin'), 'go', [
    `if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit 0; fi`,
    'while [ $# -gt 0 ]; do case "$1" in -o) out=$2; shift;; esac; package=$1; shift; done',
    `echo "$package" >> ${log}`,
    ...build,
  ]);
  const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder };
  const { folder: cache } = await readBuildRecipe(env);
  const builds = async (): Promise<string[]> => (await readFile(log, 'utf8')).split('\n').filter(Boolean);
  return { env, cache, builds };
}

const COMPILE = ['printf "#!/bin/sh\\n" > "$out"', 'chmod +x "$out"'];

async function failure(promise: Promise<unknown>): Promise<ControlPlaneError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ControlPlaneError);
  return error as ControlPlaneError;
}

describe('a folder given by the environment', () => {
  it('is used as it is, and nothing is built', async () => {
    const folder = await temporaryFolder();
    const etcd = await writeScript(folder, 'etcd', ['exit 0']);
    const env = { NESTJS_OPERATOR_CONTROL_PLANE_BIN: folder, PATH: '' };
    expect(await ensureControlPlaneBinaries(['etcd'], { env })).toEqual({ etcd });
  });

  it('that lacks binaries is an error that names all of them', async () => {
    const folder = await temporaryFolder();
    await writeScript(folder, 'etcd', ['exit 0']);
    await writeFile(join(folder, 'kubectl'), 'not executable');
    const env = { NESTJS_OPERATOR_CONTROL_PLANE_BIN: folder, PATH: process.env['PATH'] };
    const error = await failure(ensureControlPlaneBinaries(['etcd', 'kube-apiserver', 'kubectl'], { env }));
    expect(error.code).toBe('CONTROL_PLANE_BINARY_MISSING');
    expect(error.found).toBe('no executable kube-apiserver, kubectl');
    expect(error.where).toBe(`${folder} (from NESTJS_OPERATOR_CONTROL_PLANE_BIN)`);
  });

  it('may be completed by a kubectl on PATH when the caller allows it', async () => {
    const folder = await temporaryFolder();
    const kubectl = await writeScript(join(folder, 'bin'), 'kubectl', ['exit 0']);
    const env = { NESTJS_OPERATOR_CONTROL_PLANE_BIN: folder, PATH: join(folder, 'bin') };
    expect(await ensureControlPlaneBinaries(['kubectl'], { env, kubectlFromPath: true })).toEqual({ kubectl });
    expect((await failure(ensureControlPlaneBinaries(['kubectl'], { env }))).code).toBe('CONTROL_PLANE_BINARY_MISSING');
  });
});

describe('the toolchain', () => {
  it('that is missing is an error that says what to install and which variable to set', async () => {
    const folder = await temporaryFolder();
    const error = await failure(ensureControlPlaneBinaries(['etcd'], { env: { PATH: '', HOME: folder } }));
    expect(error.code).toBe('CONTROL_PLANE_TOOLCHAIN_MISSING');
    expect(error.message).toMatch(/there is no command "go"/);
    expect(error.message).toMatch(/where: PATH=$/m);
    expect(error.message).toMatch(/what to do: install Go 1\.\d+\S* or newer .* NESTJS_OPERATOR_CONTROL_PLANE_BIN/);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['1.20.3', '1.25.9'])('%s is too old, and no build is tried', async (version) => {
    const { env, builds } = await withGo(version, COMPILE);
    const error = await failure(ensureControlPlaneBinaries(['etcd'], { env }));
    expect(error.code).toBe('CONTROL_PLANE_TOOLCHAIN_TOO_OLD');
    expect(error.found).toContain(`Go ${version} is older than the 1.`);
    expect(error.where).toMatch(/\/bin\/go$/);
    expect(await builds()).toEqual([]);
  });

  it('that refuses to choose a version is too old, with its own words', async () => {
    const folder = await temporaryFolder();
    await writeScript(folder, 'go', ['echo "go: go.mod requires go >= 1.26.0" >&2', 'exit 1']);
    const error = await failure(ensureControlPlaneBinaries(['etcd'], { env: { PATH: folder, HOME: folder } }));
    expect(error.code).toBe('CONTROL_PLANE_TOOLCHAIN_TOO_OLD');
    expect(error.output).toEqual(['go: go.mod requires go >= 1.26.0']);
  });
});

describe('a build', () => {
  it('makes the binaries that were asked for, once', async () => {
    const { env, cache, builds } = await withGo('1.99.0', COMPILE);
    const progress: string[] = [];
    const options = { env, progress: (line: string) => progress.push(line) };
    expect(await ensureControlPlaneBinaries(['etcd', 'kubectl'], options)).toEqual({
      etcd: join(cache, 'etcd'),
      kubectl: join(cache, 'kubectl'),
    });
    expect(progress.map((line) => line.replace(/ (for|in) .*/, ''))).toEqual([
      'building etcd',
      'built etcd',
      'building kubectl',
      'built kubectl',
    ]);
    await ensureControlPlaneBinaries(['kubectl'], options);
    expect(await builds()).toEqual(['go.etcd.io/etcd/server/v3', 'k8s.io/kubernetes/cmd/kubectl']);
    expect((await readdir(cache)).toSorted()).toEqual(['etcd', 'kubectl']);
  });

  it('is done once for two that ask at the same time', async () => {
    const { env, builds } = await withGo('1.99.0', ['sleep 0.4', ...COMPILE]);
    const progress: string[] = [];
    const options = { env, progress: (line: string) => progress.push(line) };
    const [first, second] = await Promise.all([
      ensureControlPlaneBinaries(['etcd'], options),
      ensureControlPlaneBinaries(['etcd'], options),
    ]);
    expect(first).toEqual(second);
    expect(await builds()).toHaveLength(1);
    expect(progress).toContain(`waiting for process ${process.pid} on ${hostname()}, which builds the control plane`);
  });

  it('that fails leaves nothing behind and shows the last lines', async () => {
    const { env, cache } = await withGo('1.99.0', ['echo partial > "$out"', 'echo "x.go:1:1: broken" >&2', 'exit 2']);
    const error = await failure(ensureControlPlaneBinaries(['etcd'], { env, progress: () => {} }));
    expect(error.code).toBe('CONTROL_PLANE_BUILD_FAILED');
    expect(error.found).toMatch(/^"go build" of etcd ended with exit code 2 after \d+ s$/);
    expect(error.output).toEqual(['x.go:1:1: broken']);
    expect(await readdir(cache)).toEqual([]);
  });

  it('removes what killed builders left, and not what one may still be at', async () => {
    const { env, cache } = await withGo('1.99.0', COMPILE);
    const old = new Date(Date.now() - 25 * 3_600_000);
    for (const name of ['.building-etcd-old', '.building-etcd-new'])
      await mkdir(join(cache, name), { recursive: true });
    await utimes(join(cache, '.building-etcd-old'), old, old);
    await ensureControlPlaneBinaries(['etcd'], { env, progress: () => {} });
    expect((await readdir(cache)).toSorted()).toEqual(['.building-etcd-new', 'etcd']);
  });

  it('ends with its deadline', async () => {
    const { env, cache } = await withGo('1.99.0', ['sleep 60']);
    const error = await failure(ensureControlPlaneBinaries(['etcd'], { env, progress: () => {}, timeout: 500 }));
    expect(error.code).toBe('CONTROL_PLANE_BUILD_FAILED');
    expect(error.found).toMatch(/^building etcd took longer than/);
    expect(await readdir(cache)).toEqual([]);
  });

  it('ends with its signal', async () => {
    const { env, cache, builds } = await withGo('1.99.0', ['sleep 60']);
    const controller = new AbortController();
    const result = ensureControlPlaneBinaries(['etcd'], { env, progress: () => {}, signal: controller.signal });
    await expect.poll(builds).toHaveLength(1);
    controller.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    expect(await readdir(cache)).toEqual([]);
  });
});

describe('the lock of a build', () => {
  async function holdLock(cache: string, holder: object): Promise<string> {
    await mkdir(cache, { recursive: true });
    const path = join(cache, '.lock');
    await writeFile(path, JSON.stringify(holder));
    return path;
  }

  it('is taken over from a process that has ended', async () => {
    const { env, cache, builds } = await withGo('1.99.0', COMPILE);
    // Beyond the largest process id of any system.
    await holdLock(cache, { pid: 2 ** 30, host: hostname(), token: 'dead' });
    await ensureControlPlaneBinaries(['etcd'], { env, progress: () => {} });
    expect(await builds()).toHaveLength(1);
    expect(await readdir(cache)).toEqual(['etcd']);
  });

  it('is taken over from another machine only when it has not been touched for a minute', async () => {
    const { env, cache, builds } = await withGo('1.99.0', COMPILE);
    const path = await holdLock(cache, { pid: 1, host: 'elsewhere.invalid', token: 'other' });
    const options = { env, progress: () => {}, timeout: 600 };
    const error = await failure(ensureControlPlaneBinaries(['etcd'], options));
    expect(error.code).toBe('CONTROL_PLANE_BUILD_LOCK_TIMEOUT');
    expect(error.found).toContain('process 1 on elsewhere.invalid still holds the build lock');
    expect(error.where).toBe(path);
    expect(await builds()).toEqual([]);

    const old = new Date(Date.now() - 61_000);
    await utimes(path, old, old);
    await ensureControlPlaneBinaries(['etcd'], { ...options, timeout: 10_000 });
    expect(await builds()).toHaveLength(1);
    expect(await readdir(cache)).toEqual(['etcd']);
  });
});
