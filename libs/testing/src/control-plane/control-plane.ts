import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { ApiServer } from './api-server.js';
import { ApiRequester } from './api-requester.js';
import type { ControlPlaneBinaries, ControlPlaneBinary } from './binary-names.js';
import { ControlPlaneConnection, type ControlPlaneAddress } from './control-plane-connection.js';
import { ControlPlaneError } from './control-plane-error.js';
import { startControllerManager } from './controller-manager.js';
import { DataFolder } from './data-folder.js';
import { ensureControlPlaneBinaries } from './ensure-binaries.js';
import { startEtcd, type Etcd } from './etcd.js';
import { buildKubeconfig } from './kubeconfig.js';
import { freeLoopbackPort } from './loopback-port.js';
import type { ServerContext, ServerProcess } from './server-process.js';
import { Deadline } from './wait.js';

/** Options of {@link startControlPlane}. */
export interface ControlPlaneOptions {
  /**
   * What to have beside etcd and kube-apiserver. `kube-controller-manager` runs with the garbage collector and the
   * namespace controller; `kubectl` is only made sure of, so that its first use does not have to build it.
   * @defaultValue none
   */
  readonly components?: readonly ('kube-controller-manager' | 'kubectl')[];
  /** Feature gates of kube-apiserver, for example `{ WatchList: false }`. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Further flags of kube-apiserver, put behind the launcher's own. */
  readonly apiServerArgs?: readonly string[];
  /** Milliseconds for the start, builds not counted, and for each restart. @defaultValue 120000 */
  readonly timeout?: number;
  /** Paths that were found already; the rest is found or built as {@link ensureControlPlaneBinaries} does it. */
  readonly binaries?: ControlPlaneBinaries;
  /** Ends the start; has no effect on a control plane that runs. */
  readonly signal?: AbortSignal;
  /** Told when a server ends by itself later on. @defaultValue the error's message on stderr */
  readonly onUnexpectedEnd?: (error: ControlPlaneError) => void;
}

interface Parts {
  readonly options: ControlPlaneOptions;
  readonly context: ServerContext;
  readonly data: DataFolder;
  readonly etcd: Etcd;
  readonly api: ApiServer;
  readonly controllers: ServerProcess | undefined;
}

const DEFAULT_TIMEOUT = 120_000;

/** A running control plane and its processes. */
export class ControlPlane extends ControlPlaneConnection {
  readonly #parts: Parts;
  readonly #life = new AbortController();
  #restart: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  /** @internal */
  constructor(address: ControlPlaneAddress, parts: Parts) {
    super(address);
    this.#parts = parts;
  }

  /** Process ids of the servers, by name. */
  get processIds(): Partial<Record<ControlPlaneBinary, number>> {
    const { etcd, api, controllers } = this.#parts;
    const ids: Partial<Record<ControlPlaneBinary, number>> = {};
    if (etcd.server.process.pid !== undefined) ids.etcd = etcd.server.process.pid;
    if (api.process.process.pid !== undefined) ids['kube-apiserver'] = api.process.process.pid;
    if (controllers?.process.pid !== undefined) ids['kube-controller-manager'] = controllers.process.pid;
    return ids;
  }

  /** Stops kube-apiserver in its tracks (SIGSTOP): connections stay open and nothing is answered. */
  pauseApiServer(): void {
    this.#signalApiServer('SIGSTOP');
  }

  /** Lets a paused kube-apiserver run on (SIGCONT). */
  resumeApiServer(): void {
    this.#signalApiServer('SIGCONT');
  }

  /**
   * Ends kube-apiserver and starts it again on the same port, with the same certificate and tokens; resolves when it
   * is ready. Its watch cache is empty afterwards: watches from before the restart get 410.
   *
   * @param options - `grace`: milliseconds between SIGTERM and SIGKILL. By default 0, a crash; with open watches a
   * clean end takes longer than 10 s.
   */
  async restartApiServer(options: { grace?: number; signal?: AbortSignal } = {}): Promise<void> {
    this.assertUsable();
    const { api, context, options: settings } = this.#parts;
    const signals = [this.#life.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const restart = this.#restart.then(() =>
      api.restart(options.grace ?? 0, {
        ...context,
        deadline: new Deadline(settings.timeout ?? DEFAULT_TIMEOUT),
        signal: AbortSignal.any(signals),
      }),
    );
    // The caller gets the failure; the next restart and the stop only wait for the end of this one.
    this.#restart = restart.catch(() => {});
    await restart;
  }

  /** Ends all processes and removes the data. Further calls return the same promise. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    this.#life.abort(stoppedError(this.url));
    await this.#restart;
    await endAll(this.#parts);
  }

  #signalApiServer(signal: NodeJS.Signals): void {
    this.assertUsable();
    const server = this.#parts.api.process;
    if (!server.process.running) throw server.endedError();
    server.process.signal(signal);
  }

  /** @internal */
  protected override assertUsable(): void {
    if (this.#stopping !== undefined) throw stoppedError(this.url);
  }
}

function stoppedError(url: string): ControlPlaneError {
  return new ControlPlaneError('CONTROL_PLANE_STOPPED', {
    found: 'the control plane was stopped, and this call needs it',
    where: url,
    todo: 'call stop() only after the last use, for example in afterAll',
  });
}

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager when asked for, on free loopback ports with their data
 * in memory, and waits until they are ready. Nothing outlives this process: {@link ControlPlane.stop} ends all, and so
 * does the end of the process, however it comes about.
 *
 * @throws {@link ControlPlaneError} CONTROL_PLANE_PROCESS_ENDED when a server ends early, with its last lines;
 * CONTROL_PLANE_NOT_READY at the timeout; what {@link ensureControlPlaneBinaries} throws
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { signal } = options;
  signal?.throwIfAborted();
  const binaries = await completeBinaries(options);
  const data = await DataFolder.create();
  const folder = data.path;
  const started: { etcd?: Etcd; api?: ApiServer } = {};
  const context: ServerContext = {
    folder,
    deadline: new Deadline(options.timeout ?? DEFAULT_TIMEOUT),
    signal,
    choosePort: freeLoopbackPort,
    onUnexpectedEnd: options.onUnexpectedEnd ?? ((error) => void process.stderr.write(`${error.message}\n`)),
  };
  try {
    const etcd = await startEtcd(binaries.etcd, context);
    started.etcd = etcd;
    const api = await ApiServer.start(
      {
        command: binaries['kube-apiserver'],
        etcdUrl: etcd.url,
        featureGates: options.featureGates ?? {},
        extraArgs: options.apiServerArgs ?? [],
      },
      context,
    );
    started.api = api;
    const caPem = await api.caPem(folder);
    const caData = Buffer.from(caPem).toString('base64');
    const requester = new ApiRequester({ url: api.url, ca: caPem, token: api.adminToken });
    const { gitVersion } = (await requester.request('GET', '/version', { signal })).body as { gitVersion: string };
    const address: ControlPlaneAddress = {
      url: api.url,
      caData,
      adminToken: api.adminToken,
      etcdUrl: etcd.url,
      version: gitVersion,
      folder,
      binaries,
    };
    let controllers: ServerProcess | undefined;
    const command = binaries['kube-controller-manager'];
    if (options.components?.includes('kube-controller-manager') && command !== undefined) {
      const kubeconfig = join(folder, 'controller-manager.json');
      const { url, adminToken: token } = api;
      const user = buildKubeconfig({ url, caData, user: 'admin', token, namespace: 'default' });
      await writeFile(kubeconfig, JSON.stringify(user), { mode: 0o600 });
      controllers = await startControllerManager({ command, kubeconfig, api: requester }, context);
    }
    return new ControlPlane(address, { options, context, data, etcd, api, controllers });
  } catch (error) {
    await endAll({ ...started, data });
    throw error;
  }
}

async function completeBinaries(
  options: ControlPlaneOptions,
): Promise<ControlPlaneBinaries & Record<'etcd' | 'kube-apiserver', string>> {
  const given = options.binaries ?? {};
  const wanted = ['etcd', 'kube-apiserver', ...(options.components ?? [])] as const;
  const found = await ensureControlPlaneBinaries(
    wanted.filter((name) => given[name] === undefined),
    options.signal === undefined ? {} : { signal: options.signal },
  );
  return { ...found, ...given } as ControlPlaneBinaries & Record<'etcd' | 'kube-apiserver', string>;
}

/** The data is thrown away, so there is nothing that a gentle end would save. */
async function endAll(parts: Partial<Parts> & Pick<Parts, 'data'>): Promise<void> {
  await parts.controllers?.kill();
  await parts.api?.process.kill();
  await parts.etcd?.server.kill();
  await parts.data.remove();
}
