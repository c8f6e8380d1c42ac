import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientProcess } from '../../libs/apiserver/test/clients/support/client-process.js';
import type { Contender } from './contender.js';
import type { CountingProxy } from './counting-proxy.js';

const mark = 'CALL ';

/** The same handlers in a process of Kopf. */
export class KopfContender implements Contender {
  readonly name = 'Kopf';
  #earlier: string[] = [];
  #process: ClientProcess | undefined;

  private constructor(
    readonly namespace: string,
    readonly proxy: CountingProxy,
    private readonly python: string,
    private readonly folder: string,
  ) {}

  static async create(namespace: string, proxy: CountingProxy, python: string): Promise<KopfContender> {
    const folder = await mkdtemp(join(tmpdir(), 'side-by-side-'));
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'proxy', cluster: { server: proxy.url } }],
      users: [{ name: 'admin', user: {} }],
      contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'admin', namespace } }],
      'current-context': 'proxy',
    };
    await writeFile(join(folder, 'config'), JSON.stringify(kubeconfig));
    return new KopfContender(namespace, proxy, python, folder);
  }

  get calls(): ReadonlyArray<readonly [name: string, what: string]> {
    return [...this.#earlier, ...(this.#process?.lines ?? [])].flatMap((line) =>
      line.startsWith(mark) ? [JSON.parse(line.slice(mark.length)) as [string, string]] : [],
    );
  }

  async start(): Promise<void> {
    const program = join(import.meta.dirname, 'kopf/program.py');
    const watches = this.#watches();
    this.#process = new ClientProcess(
      this.python,
      ['-m', 'kopf', 'run', '--standalone', `--namespace=${this.namespace}`, program],
      {
        cwd: this.folder,
        env: {
          PATH: process.env['PATH'],
          HOME: this.folder,
          KUBECONFIG: join(this.folder, 'config'),
          PYTHONUNBUFFERED: '1',
          PYTHONDONTWRITEBYTECODE: '1',
        },
      },
    );
    await this.#process.until(() => {
      if (this.#watches() === watches) throw new Error('Kopf has not begun to watch.');
    });
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#earlier = [...this.#earlier, ...(this.#process?.lines ?? [])];
    this.#process = undefined;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  #watches(): number {
    return this.proxy.requests.filter(({ path }) => path.endsWith(`/namespaces/${this.namespace}/widgets`)).length;
  }
}
