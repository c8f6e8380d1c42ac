import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import type { KubeObject } from '../../src/index.js';
import { open, send, type AnswerReader, type Target } from '../conformance/target.js';
import { seeded } from '../support/seeded.js';
import { after, eventsIn, flawsOf, fold, selected, versionOf, type WatchEvent } from './history.js';
import { writeAtRandom, type Collection } from './writers.js';

export interface RunOptions {
  /** Of what the clients write, and of what is looked at afterwards. */
  readonly seed: number;
  readonly clients: number;
  readonly writes: number;
  /** How many versions each collection is looked at. */
  readonly samples: number;
}

const last = 'zz-last';
const until = (lines: readonly string[]): boolean => lines.some((line) => line.includes(`"name":"${last}"`));

/** A watch that goes on until the last object comes; `from` is where it began. */
interface Watching {
  readonly from: bigint;
  readonly initial: boolean;
  readonly reader: AnswerReader;
}

/**
 * Has several clients write at random to collections of their own, while others watch and list them, and checks that
 * every view of a collection tells the same history. Answers the logs, by collection.
 */
export async function checkHistories(target: Target, options: RunOptions): Promise<Map<Collection, WatchEvent[]>> {
  const random = seeded(options.seed);
  const collections = await newCollections(target);
  const starts = new Map<Collection, bigint>();
  const wholes = new Map<Collection, Watching>();
  for (const collection of collections) {
    const start = (await list(target, collection, '')).version;
    starts.set(collection, start);
    wholes.set(collection, await watch(target, collection, start));
  }

  const others = new Map<Collection, Watching[]>(collections.map((collection) => [collection, []]));
  const pages: { collection: Collection; version: bigint; items: KubeObject[] }[] = [];
  let writing = true;
  const look = async (): Promise<void> => {
    while (writing) {
      const collection = collections[Math.floor(random() * collections.length)]!;
      if (random() < 0.5) pages.push({ collection, ...(await pagewise(target, collection)) });
      const { version } = await list(target, collection, '');
      const open_ = others.get(collection)!;
      if (open_.length < 6) {
        open_.push(random() < 0.5 ? await watch(target, collection, version) : await watchList(target, collection));
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const looking = look();
  const told = await writeAtRandom(target, collections, options).finally(() => (writing = false));
  await looking;
  for (const collection of collections) await writeLast(target, collection);

  const logs = new Map<Collection, WatchEvent[]>();
  for (const collection of collections) {
    const log = await carried(wholes.get(collection)!);
    logs.set(collection, log);
    expect(flawsOf(log), 'the log by itself').toEqual([]);
    for (const other of others.get(collection)!) await checkWatch(other, log);
    const versions = log.map(({ object }) => versionOf(object));
    const sample = [starts.get(collection)!, ...pickSome(versions, options.samples, random)];
    for (const version of sample) await checkVersion(target, collection, log, version);
  }
  for (const { collection, version, items } of pages) {
    expect(items, `pages at ${version}`).toEqual(inOrder(fold(logs.get(collection)!, version)));
  }
  for (const { collection, object } of told) {
    const known = logs.get(collection)!.some((event) => versionOf(event.object) === versionOf(object));
    expect(known, `a write was answered with version ${versionOf(object)}, which the log does not know`).toBe(true);
  }
  return logs;
}

/** A list, and each way to watch, from one version on. */
async function checkVersion(
  target: Target,
  collection: Collection,
  log: readonly WatchEvent[],
  version: bigint,
): Promise<void> {
  const exact = await list(target, collection, `resourceVersion=${version}&resourceVersionMatch=Exact`);
  expect(exact, `the list at ${version}`).toEqual({ version, items: inOrder(fold(log, version)) });

  const replay = await watch(target, collection, version);
  const rest = after(log, version);
  const replayed = rest.length === 0 ? eventsIn(await textOf(replay, 0)) : await carried(replay);
  expect(replayed, `the watch from ${version}`).toEqual(rest);

  const isX = ({ metadata }: KubeObject): boolean => metadata.labels?.['app'] === 'x';
  const wanted = selected(log, version, isX);
  const narrow = await watch(target, collection, version, 'labelSelector=app%3Dx');
  expect(eventsIn(await textOf(narrow, wanted.length)), `the watch of app=x from ${version}`).toEqual(wanted);
}

/** A watch that began amid the writes must carry what the log has from its beginning on. */
async function checkWatch({ from, initial, reader }: Watching, log: readonly WatchEvent[]): Promise<void> {
  await reader.enough(until);
  const lines = reader.text.split('\n').slice(0, -1);
  if (!initial) {
    expect(eventsIn(lines.join('\n')), `the watch from ${from} on`).toEqual(after(log, from));
    return;
  }
  const mark = lines.findIndex((line) => line.startsWith('{"type":"BOOKMARK"'));
  const { object } = JSON.parse(lines[mark]!) as { object: KubeObject };
  const begun = versionOf(object);
  const first = eventsIn(lines.slice(0, mark).join('\n'));
  expect(
    first.map((event) => event.object).toSorted(byName),
    `the objects that a watch from ${begun} begins with`,
  ).toEqual(inOrder(fold(log, begun)));
  expect(first.every(({ type }) => type === 'ADDED')).toBe(true);
  expect(eventsIn(lines.slice(mark).join('\n')), `what comes after ${begun}`).toEqual(after(log, begun));
}

async function newCollections(target: Target): Promise<Collection[]> {
  const collections: Collection[] = [];
  for (let at = 0; at < 2; at++) {
    const name = `prop-${randomInt(36 ** 7, 36 ** 8).toString(36)}`;
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await send(target, { method: 'POST', path: '/api/v1/namespaces', body });
    collections.push(
      { path: `/apis/conformance.example.com/v1/namespaces/${name}/widgets`, custom: true },
      { path: `/api/v1/namespaces/${name}/configmaps`, custom: false },
    );
  }
  return collections;
}

async function list(
  target: Target,
  { path }: Collection,
  query: string,
): Promise<{ version: bigint; items: KubeObject[] }> {
  const { status, text } = await send(target, { method: 'GET', path: `${path}?${query}` });
  if (status !== 200) throw new Error(`GET ${path}?${query} was answered with ${status}: ${text}`);
  const { metadata, items } = JSON.parse(text) as { metadata: { resourceVersion: string }; items: KubeObject[] };
  return { version: BigInt(metadata.resourceVersion), items: items.map(withKind(path)) };
}

async function pagewise(target: Target, collection: Collection): Promise<{ version: bigint; items: KubeObject[] }> {
  const items: KubeObject[] = [];
  let token = '';
  let version: bigint | undefined;
  do {
    const path = `${collection.path}?limit=2&continue=${token}`;
    const { status, text } = await send(target, { method: 'GET', path });
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${text}`);
    const page = JSON.parse(text) as { metadata: { resourceVersion: string; continue?: string }; items: KubeObject[] };
    version ??= BigInt(page.metadata.resourceVersion);
    expect(BigInt(page.metadata.resourceVersion), 'the version of a further page').toBe(version);
    items.push(...page.items.map(withKind(collection.path)));
    token = page.metadata.continue ?? '';
  } while (token !== '');
  return { version, items };
}

/** The items of built-in lists lack what every event has. */
const withKind =
  (path: string) =>
  (item: KubeObject): KubeObject =>
    path.startsWith('/api/') ? { ...item, kind: 'ConfigMap', apiVersion: 'v1' } : item;

async function watch(target: Target, { path }: Collection, from: bigint, query = ''): Promise<Watching> {
  const url = `${path}?watch=1&resourceVersion=${from}&timeoutSeconds=120&${query}`;
  return { from, initial: false, reader: await open(target, { method: 'GET', path: url }) };
}

async function watchList(target: Target, { path }: Collection): Promise<Watching> {
  const url = `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=120`;
  return { from: 0n, initial: true, reader: await open(target, { method: 'GET', path: url }) };
}

async function carried({ reader }: Watching): Promise<WatchEvent[]> {
  await reader.enough(until);
  return eventsIn(reader.text.split('\n').slice(0, -1).join('\n'));
}

/** What a watch has carried when so many lines have come, and everything that came with them. */
async function textOf({ reader }: Watching, lines: number): Promise<string> {
  await reader.lines(lines);
  return reader.text;
}

async function writeLast(target: Target, { path, custom }: Collection): Promise<void> {
  const body = custom
    ? { apiVersion: 'conformance.example.com/v1', kind: 'Widget', metadata: { name: last }, spec: { size: 1 } }
    : { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: last } };
  const { status, text } = await send(target, { method: 'POST', path, body });
  if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
}

const byName = (a: KubeObject, b: KubeObject): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
const inOrder = (state: ReadonlyMap<string, KubeObject>): KubeObject[] => [...state.values()].toSorted(byName);

function pickSome<T>(items: readonly T[], count: number, random: () => number): T[] {
  return items.length <= count
    ? [...items]
    : Array.from({ length: count }, () => items[Math.floor(random() * items.length)]!);
}
