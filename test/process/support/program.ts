import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { OperatorModuleOptions } from 'nestjs-operator';
import { startApiServer, type ApiServer } from '@nestjs-operator/apiserver';
import { definitions } from '../../support/kinds.js';
import type { Scenario } from '../fixtures/scenario.js';
import { scratchFolder, compilePrograms, root, type Programs } from './compile.js';

/** For tests that start processes, on a machine that has other things to do as well. */
export const patience = { timeout: 120_000 };

/** How a process ended: a code, or the signal that killed it. */
export type Ending = number | NodeJS.Signals;

/** A line of the program's log, in the format of Nest's console. */
export interface Line {
  readonly level: 'LOG' | 'WARN' | 'ERROR' | 'DEBUG';
  readonly context: string;
  readonly text: string;
}

const record = /^\[Nest\] \d+ +- .+? (LOG|WARN|ERROR|DEBUG|VERBOSE|FATAL) (?:\[(\w+)\] )?(.*)$/;

/** A child process, and what it says. */
export class Program {
  /** stdout and stderr in the order in which they were written: they are one pipe. */
  output = '';
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<Ending>;
  #ending: Ending | undefined;

  constructor(script: string, args: readonly string[]) {
    // The shell only joins the two outputs, then the program takes its place.
    this.#child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, script, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '',
        NO_COLOR: '1',
        // All of them load the same modules.
        NODE_COMPILE_CACHE: join(dirname(script), 'compile-cache'),
      },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
      this.#look();
    });
    this.#ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#ending = (code ?? signal) as Ending;
      this.#look();
      return this.#ending;
    });
  }

  /** Resolves when the program has printed this text, so many times; rejects when it ends without. */
  printed(text: string, times = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.output.split(text).length > times;
        if (!found && this.#ending === undefined) return;
        this.#waiting.delete(look);
        if (found) resolve();
        else reject(new Error(`Ended with ${this.#ending} without printing ${JSON.stringify(text)}:\n${this.output}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  ended(): Promise<Ending> {
    return this.#ended;
  }

  kill(): void {
    if (this.#ending === undefined) this.#child.kill('SIGKILL');
  }

  /** The records of the operator and of Nest, in order. */
  get records(): Line[] {
    return this.output.split('\n').flatMap((line) => {
      const [, level, context = '', text = ''] = record.exec(line) ?? [];
      return level === undefined ? [] : [{ level: level as Line['level'], context, text }];
    });
  }

  errors(): Line[] {
    return this.records.filter(({ level }) => level === 'ERROR');
  }

  /** Those of the given texts that begin a line or a record, in the order of the output, repetitions in a row as one. */
  order(texts: readonly string[]): string[] {
    const seen = this.#said().flatMap((said) => texts.filter((text) => said.startsWith(text)));
    return seen.filter((text, index) => text !== seen[index - 1]);
  }

  /** How many lines or records begin with the text. */
  count(text: string): number {
    return this.#said().filter((said) => said.startsWith(text)).length;
  }

  #said(): string[] {
    return this.output.split('\n').map((line) => record.exec(line)?.[3] ?? line);
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

/** A cluster and the program that works on it. */
export interface Scene {
  readonly api: ApiServer;
  readonly program: Program;
  /** Creates a Widget. */
  create(name: string, spec?: object): Promise<void>;
  /** Another program on the same cluster, once this one has ended. */
  next(): Program;
}

/** What a scenario needs to be told; the rest is the same for all. */
export type SceneSpec = Omit<Scenario, 'operator'> & {
  readonly operator?: Partial<Omit<OperatorModuleOptions, 'logger'>>;
  /** Names of Widgets that are there from the beginning, with their specs. */
  readonly widgets?: Readonly<Record<string, object>>;
  /** What the cluster defines. Default: Widgets, Gadgets and more. */
  readonly crds?: readonly [];
};

interface TestScope {
  onTestFinished(end: () => Promise<void>): void;
}

function widget(name: string, spec: object) {
  return { apiVersion: 'demo.example/v1', kind: 'Widget', metadata: { name, namespace: 'default' }, spec };
}

/** As many children at a time, whatever the runner does. */
const most = 3;
let running = 0;
const queue: (() => void)[] = [];

async function turn(): Promise<() => void> {
  if (running >= most) await new Promise<void>((resolve) => queue.push(resolve));
  else running += 1;
  return () => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
}

/** The fixtures' programs for one test file, built below `place`. */
export class ProgramRunner {
  #programs: Promise<Programs> | undefined;

  async prepare(): Promise<void> {
    this.#programs = scratchFolder(join(root, 'test/process')).then((folder) => compilePrograms(folder));
    await this.#programs;
  }

  async remove(): Promise<void> {
    await (await this.#programs)?.remove();
  }

  async open(scope: TestScope, spec: SceneSpec): Promise<Scene> {
    const programs = await this.#programs;
    if (programs === undefined) throw new Error('prepare() first');
    return openScene(scope, programs.folder, spec);
  }
}

/** A program without a cluster. */
export function startProgram(script: string, args: readonly string[]): Program {
  return new Program(script, args);
}

export async function openScene(scope: TestScope, folder: string, spec: SceneSpec): Promise<Scene> {
  const { widgets = {}, crds = definitions, operator, ...rest } = spec;
  const release = await turn();
  const api = await startApiServer({
    crds,
    objects: Object.entries(widgets).map(([name, content]) => widget(name, content)),
  });
  const scenario: Scenario = {
    ...rest,
    operator: { name: 'process.example.com', kubeConfig: api.kubeConfig(), ...operator },
  };
  const programs: Program[] = [];
  const next = (): Program => {
    const program = new Program(join(folder, 'main.js'), [JSON.stringify(scenario)]);
    programs.push(program);
    return program;
  };
  const program = next();
  scope.onTestFinished(async () => {
    for (const started of programs) {
      started.kill();
      await started.ended();
    }
    await api.close();
    release();
  });
  return {
    api,
    program,
    next,
    create: async (name, content = {}) => {
      await api.create(widget(name, content));
    },
  };
}
