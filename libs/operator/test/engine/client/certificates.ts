import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority that lives for one test file. Node cannot sign certificates, so the openssl program does. */
export class TestAuthority {
  readonly folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<TestAuthority> {
    const authority = new TestAuthority(await mkdtemp(join(tmpdir(), 'client-ca-')));
    await authority.#openssl(
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.crt',
    );
    return authority;
  }

  get certificate(): Promise<string> {
    return readFile(join(this.folder, 'ca.crt'), 'utf8');
  }

  get caFile(): string {
    return join(this.folder, 'ca.crt');
  }

  /** `names`: the subject alternative names of a server, such as `IP:127.0.0.1`. */
  async issue(commonName: string, names?: string): Promise<KeyPair> {
    const id = `leaf-${this.#count++}`;
    await this.#openssl(
      `req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${commonName} -keyout ${id}.key -out ${id}.csr`,
    );
    await writeFile(join(this.folder, `${id}.ext`), names === undefined ? '' : `subjectAltName=${names}\n`);
    await this.#openssl(
      `x509 -req -in ${id}.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 1 -extfile ${id}.ext -out ${id}.crt`,
    );
    return {
      cert: await readFile(join(this.folder, `${id}.crt`), 'utf8'),
      key: await readFile(join(this.folder, `${id}.key`), 'utf8'),
    };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  async #openssl(args: string): Promise<void> {
    await run('openssl', args.split(' '), { cwd: this.folder });
  }
}
