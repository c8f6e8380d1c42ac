import { spawn } from 'node:child_process';
import { CredentialsError } from '../../../errors/credentials.error.js';
import { KubeConfigError } from '../../../errors/kube-config.error.js';
import type { Clock } from '../../ports/index.js';
import type { Authenticator, Obtained } from './authenticator.js';
import type { ClusterAccess } from './cluster-access.js';
import type { ExecConfig } from './kube-config-file.js';
import { readMaterial } from './material-file.js';

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** Renewed this much ahead of its end, so that no request is sent with what expires on the way. */
const expiryMargin = 30_000;
const largestOutput = 1024 * 1024;

export interface ExecPluginOptions {
  readonly exec: ExecConfig;
  readonly access: Pick<ClusterAccess, 'origin' | 'cluster'>;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a credential plugin as kubectl does. What the plugin writes to stderr goes to this process's stderr. */
export class ExecPlugin implements Authenticator {
  readonly renewable = true;
  readonly #options: ExecPluginOptions;
  readonly #apiVersion: string;

  constructor(options: ExecPluginOptions) {
    this.#options = options;
    const { exec, access } = options;
    const apiVersion = exec.apiVersion ?? '';
    if (!apiVersions.includes(apiVersion)) {
      throw new KubeConfigError(
        `${access.origin}: exec plugin "${exec.command}" has apiVersion "${apiVersion}"; ${apiVersions.join(' and ')} are supported. Update the plugin's entry.`,
      );
    }
    if (exec.interactiveMode === 'Always') {
      throw new KubeConfigError(
        `${access.origin}: exec plugin "${exec.command}" insists on a terminal (interactiveMode Always), which an operator has not. Use another plugin or mode.`,
      );
    }
    this.#apiVersion = apiVersion;
  }

  async obtain(signal: AbortSignal): Promise<Obtained> {
    const output = await this.#run({ ...(await this.#environment()) }, signal);
    return this.#read(output);
  }

  async #environment(): Promise<NodeJS.ProcessEnv> {
    const { exec, access, env } = this.#options;
    const { cluster } = access;
    const info = {
      apiVersion: this.#apiVersion,
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        ...(exec.provideClusterInfo === true
          ? {
              cluster: {
                server: cluster.server,
                'tls-server-name': cluster.tlsServerName,
                'insecure-skip-tls-verify': cluster.skipTlsVerify || undefined,
                'certificate-authority-data':
                  cluster.ca === undefined
                    ? undefined
                    : Buffer.from(await readMaterial(cluster.ca, 'certificate authority')).toString('base64'),
                'proxy-url': cluster.proxyUrl,
                config: cluster.execExtension,
              },
            }
          : {}),
      },
    };
    return {
      ...env,
      ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    };
  }

  #run(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
    const { command, args, installHint } = this.#options.exec;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args ?? [], {
        env,
        signal,
        killSignal: 'SIGKILL',
        stdio: ['ignore', 'pipe', 'inherit'],
        windowsHide: true,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= largestOutput) chunks.push(chunk);
        else child.kill('SIGKILL');
      });
      child.once('error', (cause: NodeJS.ErrnoException) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const hint = installHint === undefined ? '' : ` ${installHint.trim()}`;
        const message = `Credential plugin "${command}" cannot be started (${cause.code ?? 'unknown error'}).`;
        const advice = 'Check that it is installed and on the PATH of this process.';
        reject(new CredentialsError(`${message} ${advice}${hint}`, { cause }));
      });
      child.once('close', (code, killedBy) => {
        if (size > largestOutput) {
          reject(new Error(`Credential plugin "${command}" wrote more than ${largestOutput} bytes.`));
        } else if (code !== 0) {
          const end = code === null ? `was ended by ${killedBy}` : `ended with code ${code}`;
          reject(new Error(`Credential plugin "${command}" ${end}. What it says about it is on stderr.`));
        } else {
          resolve(Buffer.concat(chunks).toString('utf8'));
        }
      });
    });
  }

  #read(output: string): Obtained {
    const { command } = this.#options.exec;
    let credential: ExecCredential;
    try {
      credential = JSON.parse(output) as ExecCredential;
    } catch {
      // The parser's message quotes the output, which holds credentials.
      throw new Error(`Credential plugin "${command}" did not write JSON to stdout.`);
    }
    if (credential?.kind !== 'ExecCredential' || credential.apiVersion !== this.#apiVersion) {
      throw new Error(`Credential plugin "${command}" did not answer with an ExecCredential of ${this.#apiVersion}.`);
    }
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = credential.status ?? {};
    const hasCertificate = isFilled(cert) && isFilled(key);
    if (!isFilled(token) && !hasCertificate) {
      throw new Error(`Credential plugin "${command}" gave neither a token nor a certificate with its key.`);
    }
    return {
      ...(isFilled(token) ? { authorization: `Bearer ${token}` } : {}),
      ...(hasCertificate ? { cert, key } : {}),
      ...this.#lifetime(expirationTimestamp),
    };
  }

  #lifetime(expiration: string | undefined): Pick<Obtained, 'renewAfter' | 'expiresAfter'> {
    if (!isFilled(expiration)) return {};
    const end = Date.parse(expiration);
    if (Number.isNaN(end)) {
      throw new Error(`Credential plugin "${this.#options.exec.command}" gave an expirationTimestamp that is no date.`);
    }
    const left = end - this.#options.clock.now();
    // What lives shorter than the margin is still used for half of its life.
    return { expiresAfter: left, renewAfter: left - Math.min(expiryMargin, left / 2) };
  }
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
