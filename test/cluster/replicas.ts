import { join } from 'node:path';
import type { LeaderElectionOptions } from 'nestjs-operator';
import { eventually } from '@nestjs-operator/testing';
import { compilePrograms, root, scratchFolder, type Programs } from '../process/support/compile.js';
import { startProgram, type Program } from '../process/support/program.js';
import type { ReplicaScenario } from '../process/fixtures/replica.js';
import { CountingProxy } from '../side-by-side/counting-proxy.js';
import { Widget } from '../support/kinds.js';
import { createRealWorld } from '../support/real-world.js';
import type { World } from '../support/world.js';
import { sharedControlPlane } from './control-plane.js';

export const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

/** What a replica printed of one call. */
export interface Said {
  readonly by: string;
  readonly what: string;
  readonly name: string;
  /** Milliseconds of a clock that all processes share. */
  readonly at: number;
}

export interface LeaseView {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: {
    readonly holderIdentity?: string;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
    readonly leaseDurationSeconds?: number;
  };
}

export interface Replica {
  readonly program: Program;
  readonly proxy: CountingProxy;
  readonly identity: string;
  leads(): boolean;
}

/** Real processes that stand for one lease, each behind a proxy of its own, and a namespace for what they work on. */
export class Replicas {
  static #programs: Promise<Programs> | undefined;
  readonly #started: Replica[] = [];

  private constructor(readonly world: World) {}

  /** Builds the program that all of them run, from the packages as they are built. */
  static async prepare(): Promise<void> {
    Replicas.#programs = scratchFolder(join(root, 'test/process')).then((folder) => compilePrograms(folder));
    await Replicas.#programs;
  }

  static async remove(): Promise<void> {
    await (await Replicas.#programs)?.remove();
  }

  static async open(): Promise<Replicas> {
    return new Replicas(await createRealWorld());
  }

  async start(identity: string, options: LeaderElectionOptions = {}, wallOffset = 0): Promise<Replica> {
    const programs = await Replicas.#programs;
    if (programs === undefined) throw new Error('prepare() first');
    const plane = sharedControlPlane();
    const kubeConfig = plane.kubeConfig();
    const [cluster] = kubeConfig.clusters;
    const [user] = kubeConfig.users;
    const ca = Buffer.from(String(cluster?.cluster['certificate-authority-data']), 'base64').toString();
    const proxy = await CountingProxy.start({ url: plane.url, ca, token: String(user?.user.token) });
    const scenario: ReplicaScenario = {
      identity,
      wallOffset,
      operator: {
        name: 'replicas.example.com',
        kubeConfig: {
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [{ name: 'c', cluster: { server: proxy.url } }],
          users: [],
          contexts: [{ name: 'c', context: { cluster: 'c', user: '' } }],
          'current-context': 'c',
        },
        namespaces: [this.world.namespace],
        leaderElection: { enabled: true, namespace: this.world.namespace, identity, ...options },
      },
    };
    const program = startProgram(join(programs.folder, 'replica.js'), [JSON.stringify(scenario)]);
    const replica = {
      program,
      proxy,
      identity,
      leads: () => program.output.includes('This replica leads'),
    };
    this.#started.push(replica);
    return replica;
  }

  async lease(): Promise<LeaseView> {
    return this.world.admin.get<LeaseView>(leases, { name: 'replicas.example.com', namespace: this.world.namespace });
  }

  async create(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.world.admin.create(Widget, { metadata: { name, namespace: this.world.namespace }, spec });
  }

  /** Resolves when one of them leads. */
  async leading(replica: Replica, timeout = 60_000): Promise<void> {
    await eventually(() => replica.leads(), { timeout, interval: 20 });
  }

  /** What all of them said of their calls, in the order of time. */
  get said(): readonly Said[] {
    const lines = this.#started.flatMap(({ program }) => program.output.split('\n'));
    return lines
      .filter((line) => line.startsWith('@@ '))
      .map((line) => {
        const [, by = '', what = '', name = '', at = ''] = line.split(' ');
        return { by, what, name, at: Number(at) };
      })
      .toSorted((one, other) => one.at - other.at);
  }

  async close(): Promise<void> {
    for (const { program, proxy } of this.#started) {
      // One that is stopped cannot be told anything else.
      program.send('SIGCONT');
      program.kill();
      await program.ended();
      await proxy.close();
    }
    await this.world.close();
  }
}
