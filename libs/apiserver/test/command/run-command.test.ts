import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../src/command/run-command.js';
import { configMap, configMaps, widget, widgetDefinition, widgets } from '../support/fixtures.js';
import { call, WatchStream } from '../support/http.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apiserver-command-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** A command that runs until it is told to end. */
class Run {
  output = '';
  complaints = '';
  readonly #ending = new AbortController();
  readonly #code: Promise<number>;

  constructor(...args: string[]) {
    this.#code = runCommand(args, {
      print: (text) => (this.output += text),
      complain: (text) => (this.complaints += text),
      ending: this.#ending.signal,
    });
  }

  async url(): Promise<string> {
    for (;;) {
      const found = /at (http:\S+)\n/.exec(this.output)?.[1];
      if (found !== undefined) return found;
      if (this.complaints !== '') throw new Error(this.complaints);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The lines of requests, without what no run has in common. */
  get lines(): string[] {
    return this.output
      .split('\n')
      .filter((line) => /^\d\d:\d\d:\d\d\.\d{3} /.test(line))
      .map((line) => line.slice(13).replace(/ +\d+\.\d ms /, ' T ms '));
  }

  end(): Promise<number> {
    this.#ending.abort();
    return this.#code;
  }

  ended(): Promise<number> {
    return this.#code;
  }
}

describe('the command', () => {
  it('serves what it is given, and tells each request', async () => {
    mkdirSync(join(folder, 'crds'));
    file('crds/1.yml', 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: not-meant}\n---\n');
    file('crds/2.json', widgetDefinition);
    file('crds/notes.txt', 'not YAML: [');
    const objects = file('objects.yaml', `${JSON.stringify(widget('a'))}\n---\n${JSON.stringify(configMap('c'))}\n`);
    const run = new Run('--crds', join(folder, 'crds'), '--objects', objects);
    const url = await run.url();
    expect((await call(url, 'GET', `${widgets}/a`)).status).toBe(200);
    expect((await call(url, 'GET', `${configMaps}/not-meant`)).status).toBe(404);
    expect((await call(url, 'POST', configMaps, { body: configMap('c') })).status).toBe(409);
    const watch = await WatchStream.open(url, `${configMaps}?watch=1`);
    expect(await run.end()).toBe(0);
    expect(await watch.ended()).toBeTypeOf('string');
    expect(run.lines).toEqual([
      `GET    200 T ms  ${widgets}/a  admin`,
      `GET    404 T ms  ${configMaps}/not-meant  admin`,
      `POST   409 T ms  ${configMaps}  admin`,
      `WATCH  200 T ms  ${configMaps}  admin`,
    ]);
    expect(run.complaints).toBe('');
    await expect(call(url, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  });

  it('tells more, or nothing, when it is asked to', async () => {
    const verbose = new Run('--verbose');
    const url = await verbose.url();
    const headers = { 'user-agent': 'a\u001b[31mgent' };
    await call(url, 'GET', `${configMaps}?labelSelector=a%3Db&limit=5`, { headers: { 'user-agent': 'tool/1' } });
    await expect(call(url, 'GET', '/version', { headers })).rejects.toThrow(); // Node refuses to send it.
    const watch = await WatchStream.open(url, `${configMaps}?watch=1&timeoutSeconds=1`);
    await watch.ended();
    expect(await verbose.end()).toBe(0);
    expect(verbose.lines).toEqual([
      `GET    200 T ms  ${configMaps}?labelSelector=a%3Db&limit=5  admin (tool/1)`,
      `WATCH  200 T ms  ${configMaps}?watch=1&timeoutSeconds=1  admin`,
      expect.stringMatching(/^END {4}200 +\d+ B {2}.*\?watch=1&timeoutSeconds=1 {2}admin$/),
    ]);
    const quiet = new Run('--quiet');
    await call(await quiet.url(), 'GET', '/version');
    expect(await quiet.end()).toBe(0);
    expect(quiet.lines).toEqual([]);
  });

  it('lets in whom the file of accounts names, and tells no token', async () => {
    const users = file(
      'users.csv',
      '# token,name,uid,groups\ntoken-a,ada,1,"system:masters,team"\n\n"token-b","bob, the ""builder""",2\n',
    );
    const kubeconfig = join(folder, 'kubeconfig');
    const run = new Run('--users', users, '--authorization', 'rbac', '--write-kubeconfig', kubeconfig);
    const url = await run.url();
    const as = (token: string) => call(url, 'GET', configMaps, { headers: { authorization: `Bearer ${token}` } });
    expect([(await as('token-a')).status, (await as('token-b')).status, (await as('token-c')).status]).toEqual([
      200, 403, 401,
    ]);
    expect(readFileSync(kubeconfig, 'utf8')).toContain('token: token-a');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(await run.end()).toBe(0);
    expect(run.lines).toEqual([
      `GET    200 T ms  ${configMaps}  ada`,
      `GET    403 T ms  ${configMaps}  bob, the "builder"`,
      `GET    401 T ms  ${configMaps}  -`,
    ]);
    expect(run.output + run.complaints).not.toContain('token-');
    // Its own file may be written again.
    const again = new Run('--write-kubeconfig', kubeconfig);
    await again.url();
    expect(await again.end()).toBe(0);
  });

  it('keeps its state in a file', async () => {
    const state = join(folder, 'state.jsonl');
    const first = new Run('--state-file', state);
    const created = await call(await first.url(), 'POST', configMaps, { body: configMap('a') });
    expect(await first.end()).toBe(0);
    const second = new Run('--state-file', state);
    const read = await call(await second.url(), 'GET', `${configMaps}/a`);
    expect(read.text).toBe(created.text);
    expect(await second.end()).toBe(0);
  });

  it('prints its help and its version', async () => {
    const help = new Run('--help');
    expect(await help.ended()).toBe(0);
    expect(help.output).toMatch(/^Usage: npx @nestjs-operator\/apiserver \[options\]\n/);
    expect(Math.max(...help.output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    const version = new Run('--version');
    expect(await version.ended()).toBe(0);
    expect(version.output).toMatch(/^\d+\.\d+\.\d+\S* \(Kubernetes 1\.36\)\n$/);
  });

  it.each<[string, string[], RegExp]>([
    ['an unknown option', ['--prot', '1'], /Unknown option '--prot'/],
    ['an argument that is no option', ['widgets'], /positional/],
    ['no number for a port', ['--port', '80a'], /--port must be a number/],
    ['too large a port', ['--port', '65536'], /--port must be a number/],
    ['options that exclude each other', ['--quiet', '--verbose'], /exclude each other/],
    ['a file that is not there', ['--crds', '/nowhere/x.yaml'], /--crds \/nowhere\/x\.yaml cannot be read: ENOENT/],
    ['a file of accounts that is not there', ['--users', '/nowhere/x'], /--users \/nowhere\/x cannot be read/],
  ])('ends with 2 for %s, and says so', async (_, args, complaint) => {
    const run = new Run(...args);
    expect(await run.ended()).toBe(2);
    expect(run.complaints).toMatch(complaint);
    expect(run.complaints).toMatch(/See --help\.\n$/);
    expect(run.output).toBe('');
  });

  it('ends with 2 for files without what they are read for', async () => {
    mkdirSync(join(folder, 'empty'));
    const cases: [string[], RegExp][] = [
      [['--crds', join(folder, 'empty')], /is a folder without YAML or JSON files/],
      [['--crds', file('pods.yaml', 'kind: Pod\napiVersion: v1\n')], /there is no CustomResourceDefinition in it/],
      [['--objects', file('broken.yaml', 'kind: [')], /broken\.yaml cannot be read/],
      [['--users', file('none.csv', '# nobody\n')], /names no account/],
      [['--users', file('half.csv', 'secret-token\n')], /line 1 has no token or no name/],
      [['--write-kubeconfig', file('config', 'clusters: [{name: production}]\n')], /was not written by this command/],
      [['--write-kubeconfig', file('other', 'dear diary: [')], /was not written by this command/],
    ];
    for (const [args, complaint] of cases) {
      const run = new Run(...args);
      expect(await run.ended(), args.join(' ')).toBe(2);
      expect(run.complaints).toMatch(complaint);
      expect(run.complaints).not.toContain('secret');
    }
    expect(readFileSync(join(folder, 'config'), 'utf8')).toBe('clusters: [{name: production}]\n');
  });

  it('ends with 1 when the server cannot start, and names the files that are to blame', async () => {
    const taken = new Run();
    const port = new URL(await taken.url()).port;
    const second = new Run('--port', port);
    expect(await second.ended()).toBe(1);
    expect(second.complaints).toContain('EADDRINUSE');
    expect(await taken.end()).toBe(0);

    const bad = file('bad.json', widget('a', { spec: { size: 0 } }));
    const run = new Run('--crds', file('crd.json', widgetDefinition), '--objects', bad, '--kubernetes-version', '1.36');
    expect(await run.ended()).toBe(1);
    expect(run.complaints).toMatch(
      new RegExp(`^The API server cannot start: ${bad} is refused: Widget.example.com "a"`),
    );

    for (const [args, complaint] of [
      [['--kubernetes-version', '1.30'], 'there is no profile of "1.30"'],
      [['--authorization', 'abac'], `authorization must be 'authenticated' or 'rbac'`],
      [['--state-file', file('state', 'hello\n')], 'line 1, which begins at byte 0'],
      [['--state-file', '/nowhere/state'], 'does not exist'],
    ] as const) {
      const refused = new Run(...args);
      expect(await refused.ended()).toBe(1);
      expect(refused.complaints).toContain(complaint);
    }
  });
});
