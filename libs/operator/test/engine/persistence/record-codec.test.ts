import { describe, expect, it } from 'vitest';
import {
  digestTree,
  isSamePart,
  isUnchangedAt,
  unknownState,
  wholeDigest,
  type HandledState,
} from '../../../src/engine/persistence/handled-state.js';
import {
  newRecord,
  nothingHandled,
  progressOf,
  withProgress,
  type ObjectRecord,
} from '../../../src/engine/persistence/object-record.js';
import {
  isRecordAnnotation,
  recordAnnotation,
  recordBudget,
} from '../../../src/engine/persistence/record-annotation.js';
import { decodeRecord, encodeRecord, type EncodeOptions } from '../../../src/engine/persistence/record-codec.js';
import { RecordKeeper } from '../../../src/engine/persistence/record-keeper.js';
import { withoutSubProgress, withSubProgress } from '../../../src/engine/persistence/sub-progress.js';
import { essenceOf, type Essence } from '../../../src/engine/processing/essence.js';
import { widget, widgets } from '../watching/support.js';

const uid = 'u1';
const state = (essence: Essence): HandledState => ({ kind: 'essence', essence });
const ids = ['one', 'two', 'three'];

function encode(record: ObjectRecord, options: Partial<EncodeOptions> = {}): string | undefined {
  return encodeRecord(record, { budget: 65_536, watched: [], handlers: new Set(ids), digestsOnly: false, ...options });
}

function handledBy(states: Readonly<Record<string, HandledState>>): ObjectRecord {
  return Object.entries(states).reduce(
    (record, [id, handled]) => withProgress(record, id, { ...nothingHandled, handled, creationOpen: false }),
    newRecord(uid, 'demo.example/v1', ids),
  );
}

describe('record', () => {
  it('comes back as it was: states, open creations, attempts, deletions', () => {
    const odd = { 'a.b/c': { '~': '😀\u2028', n: null }, list: [1, { x: 2 ** 60 }] };
    let record = handledBy({ one: state({ spec: 1 }), two: state(odd) });
    const attempt = {
      cause: 'update',
      saw: state({ spec: 3 }),
      failures: 2,
      startedAt: 1,
      lastAt: 2,
      nextAt: 3,
    } as const;
    record = withProgress(record, 'one', { ...progressOf(record, 'one'), attempt });
    record = withProgress(record, 'two', { ...progressOf(record, 'two'), deletionDone: true, holds: true });
    const back = decodeRecord(encode(record) as string, uid, ids);
    expect(back).toEqual(record);
    expect(decodeRecord(encode(newRecord(uid, 'v1', ids)) as string, uid, ids)).toEqual(newRecord(uid, 'v1', ids));
  });

  it('holds a state once that several handlers share, and does not name those handlers', () => {
    const text = encode(handledBy({ one: state({ spec: 1 }), two: state({ spec: 1 }), three: state({ spec: 1 }) }));
    expect(JSON.parse(text as string)).toEqual({ v: 1, uid, api: 'demo.example/v1', s: [{ e: { spec: 1 } }], d: 0 });
  });

  it('gives the shared state to a handler that it does not know, and drops those that exist no more', () => {
    const text = encode(handledBy({ one: state({ spec: 1 }), two: state({ spec: 2 }) })) as string;
    const back = decodeRecord(text, uid, [...ids, 'new']) as ObjectRecord;
    expect(progressOf(back, 'new')).toEqual({ ...nothingHandled, handled: state({ spec: 2 }), creationOpen: false });
    expect(progressOf(back, 'three')).toEqual(nothingHandled);
    expect(encode(back, { handlers: new Set(['two']) })).not.toContain('"one"');
  });

  it('of version 1 is read for good, as it was released', () => {
    const text =
      '{"v":1,"uid":"u1","api":"demo.example/v1","s":[{"e":{"spec":{"n":2}}},{"d":{"":"AAAAAAAAAAAAAAAA"}}],"d":0,' +
      '"h":{"two":{"s":1,"o":1,"t":{"c":"update","s":0,"n":3,"b":10,"l":20,"d":30}},"three":{"x":2},' +
      '"two/part":{"s":-1,"o":1,"t":{"c":"create","n":1,"b":1,"l":2,"d":3}}}}';
    const handled = state({ spec: { n: 2 } });
    const back = decodeRecord(text, uid, ids) as ObjectRecord;
    expect(back).toMatchObject({ uid, apiVersion: 'demo.example/v1', shared: handled });
    expect(progressOf(back, 'one')).toEqual({ ...nothingHandled, handled, creationOpen: false });
    expect(progressOf(back, 'two')).toEqual({
      ...nothingHandled,
      handled: { kind: 'digests', digests: { '': 'AAAAAAAAAAAAAAAA' } },
      attempt: { cause: 'update', saw: handled, failures: 3, startedAt: 10, lastAt: 20, nextAt: 30 },
    });
    expect(progressOf(back, 'three')).toMatchObject({ handled, deletionDone: true, holds: true, creationOpen: false });
    expect(progressOf(back, 'two/part')).toMatchObject({
      handled: undefined,
      attempt: { cause: 'create', failures: 1 },
    });
    expect(encode(back)).toBe(text);
  });

  it('of a later release says that the object was handled, and no more', () => {
    const later = `{"v":2,"uid":"${uid}","api":"demo.example/v1","states":{}}`;
    const back = decodeRecord(later, uid, ids) as ObjectRecord;
    expect(back.apiVersion).toBe('demo.example/v1');
    for (const id of ids) {
      expect(progressOf(back, id)).toEqual({ ...nothingHandled, handled: unknownState, creationOpen: false });
    }
    expect(decodeRecord(later, 'u2', ids)).toBeUndefined();
  });

  it('holds any id', () => {
    const odd = ['__proto__', 'constructor', 'a/b', 'ein Weg \u{1f30d}', 'x'.repeat(300), '"quoted"\n'];
    const record = odd.reduce(
      (known, id, index) =>
        withProgress(known, id, { ...nothingHandled, handled: state({ n: index }), creationOpen: false }),
      newRecord(uid, 'v1', odd),
    );
    const text = encode(record, { handlers: new Set(odd) }) as string;
    const back = decodeRecord(text, uid, odd) as ObjectRecord;
    odd.forEach((id, index) => expect(progressOf(back, id).handled).toEqual(state({ n: index })));
    expect(text).not.toContain('x'.repeat(64));
  });

  it('holds the parts of a handler with a long id, and those of one whose id begins like that of another', () => {
    const long = `${'long/'.repeat(30)}id`;
    const known = [long, 'a', 'a/b'];
    const parts = [`${long}/part`, `${long}/part/inner`, 'a/part', 'a/b/part'];
    const record = [...known, ...parts].reduce(
      (all, id, index) => withSubProgress(all, id, { ...nothingHandled, handled: state({ n: index }) }),
      newRecord(uid, 'v1', known),
    );
    const text = encode(record, { handlers: new Set(known) }) as string;
    expect(decodeRecord(text, uid, known)?.handlers).toEqual(record.handlers);
    const without = [...withoutSubProgress(record, 'a', known).handlers.keys()];
    expect(without).toEqual([...known, parts[0], parts[1], 'a/b/part']);
    expect([...withoutSubProgress(record, long, known).handlers.keys()]).toEqual([...known, 'a/part', 'a/b/part']);
  });

  it('of another uid, of another form or not whole is none', () => {
    const text = encode(handledBy({ one: state({ spec: 1 }) })) as string;
    expect(decodeRecord(text, 'u2', ids)).toBeUndefined();
    const broken = ['', 'null', '[]', '{', '{"v":2}', text.slice(0, -1), text.replace('"d":0', '"d":7')];
    const hollow = [
      '"s":[null]',
      '"s":[{}]',
      '"s":[{"e":null}]',
      '"s":{}',
      '"s":[],"h":{"one":null}',
      '"s":[],"h":{"one":{"s":4}}',
    ];
    for (const one of [...broken, ...hollow.map((s) => `{"v":1,"uid":"${uid}","api":"v1",${s}}`)]) {
      expect([one, decodeRecord(one, uid, ids)]).toEqual([one, undefined]);
    }
  });

  it('takes the richest form that fits: content, as many digests as there is room for, one, nothing', () => {
    const essence = { spec: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`field${n}`, 'x'.repeat(100)])) };
    const record = handledBy({ one: state(essence) });
    const digests = (budget: number): number | undefined => {
      const text = encode(record, { budget });
      expect(Buffer.byteLength(text ?? '')).toBeLessThanOrEqual(budget);
      const { s } = JSON.parse(text ?? '{"s":[{"d":{}}]}') as { s: [{ e?: unknown; d?: object }] };
      return s[0].e === undefined ? Object.keys(s[0].d ?? {}).length : undefined;
    };
    expect(digests(65_536)).toBeUndefined();
    expect(digests(40_000)).toBe(256);
    const some = digests(2_048) as number;
    expect(some).toBeGreaterThan(30);
    expect(digests(150)).toBe(1);
    expect(digests(100)).toBe(0);
  });

  it('on a small budget gives up digests that it held before, rather than have no room', () => {
    const wide = (n: number): Essence => ({
      spec: Object.fromEntries(Array.from({ length: 60 }, (_, k) => [`f${k}`, n])),
    });
    const first = decodeRecord(
      encode(handledBy({ one: state(wide(1)) }), { budget: 700 }) as string,
      uid,
      ids,
    ) as ObjectRecord;
    const second = withProgress(first, 'two', { ...nothingHandled, handled: state(wide(2)), creationOpen: false });
    const text = encode(second, { budget: 700 }) as string;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700);
    const back = decodeRecord(text, uid, ids) as ObjectRecord;
    expect(isUnchangedAt(progressOf(back, 'one').handled as HandledState, wide(1), [], uid)).toBe(true);
    expect(isUnchangedAt(progressOf(back, 'two').handled as HandledState, wide(1), [], uid)).toBe(false);
  });

  it('of Secrets holds digests only, which differ from object to object', () => {
    const secrets = { ...widgets, group: '', version: 'v1', plural: 'secrets', kind: 'Secret' };
    const keeper = new RecordKeeper({
      operator: 'op.example',
      formerNames: [],
      resource: secrets,
      handlers: ids,
      watched: [],
    });
    const object = widget({ version: 1, data: { password: 'aHVudGVyMg==' } });
    const text = keeper.encode(handledBy({ one: state(essenceOf(object)) }), object) as string;
    expect(text).not.toContain('aHVudGVyMg');
    expect(wholeDigest(state(essenceOf(object)), 'u1')).not.toEqual(wholeDigest(state(essenceOf(object)), 'u2'));
    const handled = progressOf(keeper.decode(text, uid) as ObjectRecord, 'one').handled as HandledState;
    expect(isUnchangedAt(handled, essenceOf(object), ['data', 'password'], uid)).toBe(true);
    expect(isUnchangedAt(handled, { data: { password: 'x' } }, ['data', 'password'], uid)).toBe(false);
  });
});

describe('digest tree', () => {
  const essence = { spec: { 'a.b': { 'c/d': 1, '😀': [1, 2] }, other: 1 } };

  it('tells what changed at a path that it knows, and asks the nearest part above otherwise', () => {
    const full: HandledState = { kind: 'digests', digests: digestTree(state(essence), uid, [], 10_000) };
    const changed = { spec: { 'a.b': { 'c/d': 2, '😀': [1, 2] }, other: 1 } };
    expect(isUnchangedAt(full, changed, ['spec', 'other'], uid)).toBe(true);
    expect(isUnchangedAt(full, changed, ['spec', 'a.b', '😀'], uid)).toBe(true);
    expect(isUnchangedAt(full, changed, ['spec', 'a.b', 'c/d'], uid)).toBe(false);
    const small: HandledState = { kind: 'digests', digests: digestTree(state(essence), uid, [['spec', 'other']], 40) };
    expect(Object.keys(small.digests)).toEqual(['', '/spec/other']);
    expect(isUnchangedAt(small, changed, ['spec', 'other'], uid)).toBe(true);
    expect(isUnchangedAt(small, changed, ['spec', 'a.b', '😀'], uid)).toBe(false);
    expect(isUnchangedAt(unknownState, essence, ['spec'], uid)).toBe(false);
  });

  it('can be compared with a whole state, and with another tree', () => {
    const tree = (of: Essence): HandledState => ({ kind: 'digests', digests: digestTree(state(of), uid, [], 10_000) });
    expect(isSamePart(tree(essence), state(essence), [], uid)).toBe(true);
    expect(isSamePart(state(essence), tree({ spec: {} }), [], uid)).toBe(false);
    expect(isSamePart(tree(essence), tree(essence), ['spec', 'other'], uid)).toBe(true);
    expect(isSamePart(tree(essence), tree(essence), ['spec', 'missing'], uid)).toBe(false);
  });
});

describe('essence', () => {
  it('leaves out status, bookkeeping and all metadata but labels and annotations', () => {
    const object = widget({
      version: 1,
      spec: { a: 1 },
      data: 'x',
      status: { s: 1 },
      metadata: {
        generation: 3,
        labels: {},
        annotations: {
          'other.example/nestjs-operator.widgets': '{}',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          keep: 'me',
        },
      },
    });
    expect(essenceOf(object)).toEqual({ spec: { a: 1 }, data: 'x', metadata: { annotations: { keep: 'me' } } });
  });

  it('takes in fields that handlers watch, in whatever order they name them, but not for those that watch the whole', () => {
    const object = widget({ version: 1, spec: 1, status: { phase: 'up', list: [{ x: 1 }] } });
    const watched = [['status', 'list', '0', 'x'], ['status'], ['metadata', 'resourceVersion']];
    const essence = essenceOf(object, watched);
    expect(essence).toEqual({ spec: 1, status: object['status'], metadata: { resourceVersion: '1' } });
    expect(isUnchangedAt(state({ spec: 1 }), essence, [], uid)).toBe(true);
    expect(isUnchangedAt(state({ spec: 1 }), essence, ['status'], uid)).toBe(false);
    expect(isUnchangedAt(state({ spec: 1 }), essence, ['metadata'], uid)).toBe(true);
  });
});

describe('record annotation', () => {
  it('is named after operator and plural, within the limit for names', () => {
    expect(recordAnnotation('op.example', 'widgets')).toBe('op.example/nestjs-operator.widgets');
    const [long, other] = [
      recordAnnotation('op.example', 'x'.repeat(63)),
      recordAnnotation('op.example', `${'x'.repeat(62)}y`),
    ];
    expect([long.length, long === other]).toEqual(['op.example/'.length + 63, false]);
    expect([isRecordAnnotation(long), isRecordAnnotation('op.example/other')]).toEqual([true, false]);
  });

  it.each([
    [0, 65_536],
    [256 * 1_024 - 100_000, 65_536],
    [256 * 1_024 - 20_000, 20_000 - 16_384],
    [256 * 1_024 - 10_000, 512],
    [256 * 1_024 - 512, 512],
    [256 * 1_024 - 511, 0],
  ])('with %i bytes of other annotations and names there is room for %i', (used, room) => {
    const annotation = 'op.example/x';
    const filled = Math.max(0, used - annotation.length - 3);
    const annotations = { big: 'x'.repeat(filled), [annotation]: 'old'.repeat(100) };
    expect(recordBudget(widget({ version: 1, metadata: { annotations } }), annotation, 'widgets')).toBe(room);
  });

  it('is small on Pods', () => {
    const pod = { ...widget({ version: 1 }), apiVersion: 'v1', kind: 'Pod' };
    expect(recordBudget(pod, 'op.example/x', 'pods')).toBe(2_048);
    expect(recordBudget({ ...pod, apiVersion: 'demo.example/v1' }, 'op.example/x', 'pods')).toBe(65_536);
  });
});
