import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount, type AccountRequest, type ControlPlaneAccount } from './account.js';
import { ApiRequester } from './api-requester.js';
import type { ControlPlaneBinaries } from './binary-names.js';
import { ensureControlPlaneBinaries } from './ensure-binaries.js';
import { compactEtcd } from './etcd.js';
import { buildKubeconfig, type KubeconfigObject } from './kubeconfig.js';
import { runKubectl, type KubectlOptions, type KubectlResult } from './kubectl.js';
import { Deadline } from './wait.js';

/** Where a running control plane is; plain data that can be handed to other threads and processes. */
export interface ControlPlaneAddress {
  /** URL of kube-apiserver. */
  readonly url: string;
  /** The certificate to trust: PEM in base64, as kubeconfigs carry it. */
  readonly caData: string;
  /** Token of a user in `system:masters`. */
  readonly adminToken: string;
  /** URL of etcd, plain HTTP on loopback. */
  readonly etcdUrl: string;
  /** Version of Kubernetes as the server reports it, such as `v1.36.3`. */
  readonly version: string;
  /** Folder of the data, removed when the control plane stops. */
  readonly folder: string;
  readonly binaries: ControlPlaneBinaries;
}

/** Everything that can be done with a running control plane without owning its processes. */
export class ControlPlaneConnection {
  readonly #address: ControlPlaneAddress;
  readonly #caPem: string;
  #kubectl: Promise<string> | undefined;

  /** @internal */
  constructor(address: ControlPlaneAddress) {
    this.#address = address;
    this.#caPem = Buffer.from(address.caData, 'base64').toString('utf8');
  }

  /** URL of kube-apiserver. */
  get url(): string {
    return this.#address.url;
  }

  /** The certificate to trust: PEM in base64. */
  get caData(): string {
    return this.#address.caData;
  }

  /** Version of Kubernetes as the server reports it, such as `v1.36.3`. */
  get version(): string {
    return this.#address.version;
  }

  /** What {@link connectControlPlane} needs; plain data. It carries the administrator's token. */
  get address(): ControlPlaneAddress {
    return this.#address;
  }

  /** A kubeconfig for the account, by default for an administrator. Each call returns a new object. */
  kubeConfig(account?: ControlPlaneAccount): KubeconfigObject {
    return buildKubeconfig({
      url: this.url,
      caData: this.caData,
      user: account?.username ?? 'admin',
      token: account?.token ?? this.#address.adminToken,
      namespace: account?.namespace ?? 'default',
    });
  }

  /** Writes {@link ControlPlaneConnection.kubeConfig} to a file that only its owner can read. */
  async writeKubeconfig(path: string, account?: ControlPlaneAccount): Promise<void> {
    await writeFile(path, `${JSON.stringify(this.kubeConfig(account), undefined, 2)}\n`, { mode: 0o600 });
  }

  /**
   * Creates a ServiceAccount that has exactly the rights given, beside what every authenticated user has (discovery
   * and reviews of oneself), and a token for it. The rights are in effect when the promise resolves.
   *
   * @throws {@link ControlPlaneError} CONTROL_PLANE_REQUEST_FAILED, for example when the name is in use;
   * CONTROL_PLANE_NOT_READY when a rule took no effect within 30 s
   */
  async account(request: AccountRequest, options: { signal?: AbortSignal } = {}): Promise<ControlPlaneAccount> {
    this.assertUsable();
    const namespace = request.namespace ?? 'default';
    const { token, username } = await createAccount(
      { name: request.name, namespace, rules: request.rules ?? [], clusterRules: request.clusterRules ?? [] },
      {
        admin: this.requester(this.#address.adminToken),
        as: (other) => this.requester(other),
        deadline: new Deadline(30_000),
        signal: options.signal,
      },
    );
    const account = { name: request.name, namespace, username, token };
    const { url, caData } = this;
    return { ...account, kubeConfig: buildKubeconfig({ url, caData, user: username, token, namespace }) };
  }

  /**
   * Runs kubectl as administrator, or as `account`.
   *
   * @throws {@link ControlPlaneError} CONTROL_PLANE_KUBECTL_FAILED on a non-zero exit code, unless `reject` is false;
   * what {@link ensureControlPlaneBinaries} throws, when kubectl has to be found or built first
   */
  async kubectl(
    args: readonly string[],
    options: KubectlOptions & { account?: ControlPlaneAccount } = {},
  ): Promise<KubectlResult> {
    this.assertUsable();
    const command = this.#address.binaries.kubectl ?? (await (this.#kubectl ??= findKubectl()));
    const { folder } = this.#address;
    const token = options.account?.token ?? this.#address.adminToken;
    const kubeconfig = join(folder, `kubectl-${createHash('sha256').update(token).digest('hex').slice(0, 16)}.json`);
    await this.writeKubeconfig(kubeconfig, options.account);
    return runKubectl({ command, kubeconfig, folder }, args, options);
  }

  /**
   * Compacts etcd up to its present revision. Lists of an older version, continue tokens among them, are answered with
   * 410 from then on where the API server reads etcd (`featureGates: { ListFromCacheSnapshot: false }`), else when it
   * has dropped its snapshots: up to 20 s later. Watches are answered out of its watch cache, which only
   * {@link ControlPlane.restartApiServer} empties.
   *
   * @returns the revision compacted to
   */
  async compact(options: { signal?: AbortSignal } = {}): Promise<number> {
    this.assertUsable();
    return compactEtcd(this.#address.etcdUrl, options.signal);
  }

  /** @internal */
  protected assertUsable(): void {}

  /** @internal */
  protected requester(token: string): ApiRequester {
    return new ApiRequester({ url: this.url, ca: this.#caPem, token });
  }
}

async function findKubectl(): Promise<string> {
  return (await ensureControlPlaneBinaries(['kubectl'])).kubectl;
}

/** Takes up a control plane that another thread or process started and will stop. */
export function connectControlPlane(address: ControlPlaneAddress): ControlPlaneConnection {
  return new ControlPlaneConnection(address);
}
