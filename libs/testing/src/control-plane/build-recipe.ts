import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ControlPlaneBinary } from './binary-names.js';

/** The version of Kubernetes that the launcher builds. */
export const KUBERNETES_VERSION = '1.36.3';

/** The Go package that each binary is built from. */
export const GO_PACKAGES: Readonly<Record<ControlPlaneBinary, string>> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
};

const VERSION_PACKAGES = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];

/** The flags of `go build`; without those of the linker /version would not name the version. */
export function goBuildFlags(version: string): string[] {
  const [major, minor] = version.split('.');
  const variables = VERSION_PACKAGES.flatMap((name) => [
    `-X ${name}.gitVersion=v${version}`,
    `-X ${name}.gitMajor=${major}`,
    `-X ${name}.gitMinor=${minor}`,
  ]);
  return ['-trimpath', '-tags', 'selinux,notest,grpcnotrace', '-ldflags', ['-s -w', ...variables].join(' ')];
}

/** What decides the content of a built binary. */
export interface BuildInputs {
  readonly version: string;
  readonly goMod: string;
  readonly goSum: string;
  readonly flags: readonly string[];
  readonly platform: string;
  readonly arch: string;
}

/** A folder name that changes whenever one of the inputs does. */
export function buildKey(inputs: BuildInputs): string {
  const hash = createHash('sha256');
  for (const part of [inputs.version, inputs.platform, inputs.arch, inputs.goMod, inputs.goSum, ...inputs.flags]) {
    // The length keeps two neighbouring parts from changing places unnoticed.
    hash.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  return `v${inputs.version}-${inputs.platform}-${inputs.arch}-${hash.digest('hex').slice(0, 16)}`;
}

/** The folder of all builds: `$XDG_CACHE_HOME` or `~/.cache`, then `nestjs-operator/control-plane`. */
export function cacheRoot(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'];
  // A relative value is to be ignored by the rules of that variable.
  const root = base !== undefined && isAbsolute(base) ? base : join(env['HOME'] || homedir(), '.cache');
  return join(root, 'nestjs-operator', 'control-plane');
}

/** Everything that is needed to find or to make one set of binaries. */
export interface BuildRecipe {
  readonly version: string;
  /** The folder of the Go module. */
  readonly module: string;
  /** The Go version that go.mod asks for. */
  readonly goVersion: string;
  readonly flags: readonly string[];
  readonly key: string;
  /** The cache folder that the binaries lie in. */
  readonly folder: string;
}

/** Reads the Go module that comes with this package. */
export async function readBuildRecipe(env: NodeJS.ProcessEnv): Promise<BuildRecipe> {
  const module = fileURLToPath(new URL('../../go', import.meta.url));
  const [goMod, goSum] = await Promise.all([
    readFile(join(module, 'go.mod'), 'utf8'),
    readFile(join(module, 'go.sum'), 'utf8'),
  ]);
  const flags = goBuildFlags(KUBERNETES_VERSION);
  const key = buildKey({
    version: KUBERNETES_VERSION,
    goMod,
    goSum,
    flags,
    platform: process.platform,
    arch: process.arch,
  });
  return {
    version: KUBERNETES_VERSION,
    module,
    goVersion: /^go (\S+)$/m.exec(goMod)?.[1] ?? '',
    flags,
    key,
    folder: join(cacheRoot(env), key),
  };
}
