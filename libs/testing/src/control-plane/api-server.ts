import { generateKeyPair, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sendJson } from './json-request.js';
import { isPortClash, ServerProcess, startWithFreePorts, type ServerContext } from './server-process.js';
import { delay } from './wait.js';

export interface ApiServerOptions {
  readonly command: string;
  readonly etcdUrl: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly extraArgs: readonly string[];
}

/** Objects that exist only once the server has filled a new store: the last ones that /readyz alone may run ahead of. */
const BOOTSTRAPPED = [
  '/api/v1/namespaces/default',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:discovery',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:discovery',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin',
];

/** A kube-apiserver that keeps its address, certificate and tokens over restarts. */
export class ApiServer {
  #server: ServerProcess | undefined;

  private constructor(
    readonly port: number,
    readonly adminToken: string,
    private readonly options: ApiServerOptions,
  ) {}

  static async start(options: ApiServerOptions, context: ServerContext): Promise<ApiServer> {
    const adminToken = randomBytes(32).toString('hex');
    const { privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    await writeFile(join(context.folder, 'service-account.key'), privateKey, { mode: 0o600 });
    await writeFile(join(context.folder, 'tokens.csv'), `${adminToken},admin,admin,"system:masters"\n`, {
      mode: 0o600,
    });
    return startWithFreePorts(async () => {
      const server = new ApiServer(await context.choosePort(), adminToken, options);
      await server.launch(context);
      return server;
    }, isPortClash);
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The running process. */
  get process(): ServerProcess {
    if (this.#server === undefined) throw new Error('kube-apiserver was not launched');
    return this.#server;
  }

  /** Starts the process and waits until it is ready. */
  async launch(context: ServerContext): Promise<void> {
    const server = new ServerProcess(this.options.command, this.#args(context.folder), context);
    this.#server = server;
    try {
      await server.untilReady(() => this.#missing(context));
    } catch (error) {
      await server.kill();
      throw error;
    }
  }

  /** SIGTERM (SIGKILL after `grace` milliseconds), then a new process on the same port. */
  async restart(grace: number, context: ServerContext): Promise<void> {
    if (grace > 0) await this.process.terminate(grace);
    else await this.process.kill();
    for (;;) {
      context.signal?.throwIfAborted();
      try {
        return await this.launch(context);
      } catch (error) {
        // The port must stay the same, so the only way is to wait for it.
        if (!isPortClash(error) || context.deadline.expired) throw error;
        await delay(250, context.signal);
      }
    }
  }

  /** The serving certificate, which is its own issuer. */
  caPem(folder: string): Promise<string> {
    return readFile(join(folder, 'certificates', 'apiserver.crt'), 'utf8');
  }

  #args(folder: string): string[] {
    const gates = Object.entries(this.options.featureGates).map(([name, on]) => `${name}=${on}`);
    return [
      `--etcd-servers=${this.options.etcdUrl}`,
      `--cert-dir=${join(folder, 'certificates')}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${this.port}`,
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--allow-privileged=true',
      '--service-account-issuer=https://control-plane.invalid',
      `--service-account-signing-key-file=${join(folder, 'service-account.key')}`,
      `--service-account-key-file=${join(folder, 'service-account.key')}`,
      '--disable-admission-plugins=ServiceAccount',
      '--authorization-mode=RBAC',
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      ...(gates.length > 0 ? [`--feature-gates=${gates.join(',')}`] : []),
      ...this.options.extraArgs,
    ];
  }

  async #missing(context: ServerContext): Promise<string | undefined> {
    // The certificate is made by the server, so it also proves that it is ours that answers.
    const endpoint = { url: this.url, ca: await this.caPem(context.folder), token: this.adminToken };
    for (const path of ['/readyz', ...BOOTSTRAPPED]) {
      const answer = await sendJson(endpoint, 'GET', path, { timeout: 5_000, signal: context.signal });
      if (answer.status !== 200) return `GET ${path} answered ${answer.status}`;
    }
    return undefined;
  }
}
