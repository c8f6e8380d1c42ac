import type { JsonObject } from '../../../src/index.js';
import { definition, until, untilServed, version } from '../definitions.js';
import type { CaseBody, Read, Session } from '../session.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const integer = { type: 'integer' };

/** A kind of the case, whose schema changes while objects are stored. */
class Changing {
  readonly path: string;
  #changes = 0;

  private constructor(
    private readonly s: Session,
    private readonly name: string,
    private readonly group: string,
  ) {
    this.path = `/apis/${group}/v1/namespaces/${s.namespace}/things`;
  }

  /** Has the definition served, with these members of the specification. */
  static async begin(s: Session, spec: JsonObject, more: JsonObject = {}): Promise<Changing> {
    const group = `${s.namespace}.example.com`;
    const body = definition(group, 'Thing', [Changing.version(spec, more)]);
    const { name } = body['metadata'] as { name: string };
    s.leave(`${definitions}/${name}`);
    await s.quietly('POST', definitions, body);
    await untilServed(s.target, body);
    return new Changing(s, name, group);
  }

  private static version(properties: JsonObject, more: JsonObject): JsonObject {
    const schema = { properties: { spec: { type: 'object', properties, ...more } } };
    return version('v1', schema, { subresources: { status: {} } });
  }

  /** Changes the members of the specification, and waits until the object `a` shows that it is heeded. */
  async become(spec: JsonObject, more: JsonObject = {}): Promise<void> {
    const changed = Changing.version(spec, more);
    const { schema } = changed as { schema: { openAPIV3Schema: { properties: JsonObject } } };
    // The default is how the change shows itself.
    const mark = `change${++this.#changes}`;
    const marked = { ...schema.openAPIV3Schema.properties, [mark]: { type: 'boolean', default: true } };
    const { json } = await this.s.quietly('GET', `${definitions}/${this.name}`);
    const versions = [{ ...changed, schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, properties: marked } } }];
    const answer = await this.s.quietly('PUT', `${definitions}/${this.name}`, {
      ...json,
      spec: { ...json.spec, versions },
    });
    if (answer.status !== 200) throw new Error(`the change is refused: ${answer.text}`);
    await until('the change is heeded', async () => {
      const read = await this.s.quietly('GET', `${this.path}/a`);
      return read.json[mark] === true;
    });
  }

  thing(spec: JsonObject, name = 'a'): JsonObject {
    return { apiVersion: `${this.group}/v1`, kind: 'Thing', metadata: { name }, spec };
  }

  create(spec: JsonObject): Promise<Read> {
    return this.s.post(this.path, this.thing(spec));
  }

  set(spec: JsonObject): Promise<Read> {
    return this.s.patch('merge', `${this.path}/a`, { spec });
  }

  read(): Promise<Read> {
    return this.s.get(`${this.path}/a`);
  }
}

/** What becomes of stored objects when the schema changes. */
export function addLaterSchemaCases(add: (name: string, run: CaseBody) => void): void {
  add('later: defaults show on reads', async (s) => {
    const things = await Changing.begin(s, { a: text, b: { type: 'object', properties: { c: text } } });
    const { json } = await things.create({ b: {} });
    await things.become({
      a: { ...text, default: 'da' },
      b: { type: 'object', properties: { c: { ...text, default: 'dc' } } },
      d: { type: 'object', default: {}, properties: { e: { ...integer, default: 5 } } },
    });
    await things.read();
    await s.get(things.path);
    await s.watch(`${things.path}?watch=1&resourceVersion=0&timeoutSeconds=5`, 1);
    await s.patch('merge', `${things.path}/a`, {
      metadata: { resourceVersion: json.metadata.resourceVersion as string },
    });
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
  });
  add('later: what the schema no longer has is pruned on reads', async (s) => {
    const things = await Changing.begin(s, { a: text, b: { type: 'object', properties: { c: text, d: text } } });
    await things.create({ a: 'x', b: { c: 'x', d: 'x' } });
    await things.become({ b: { type: 'object', properties: { c: text } } });
    await things.read();
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.become({ a: text, b: { type: 'object', properties: { c: text, d: text } } });
    await things.read();
  });
  add('later: what is invalid and stays is let through', async (s) => {
    const things = await Changing.begin(s, {
      a: text,
      b: text,
      n: integer,
      list: { type: 'array', items: text },
      map: { type: 'object', additionalProperties: integer },
    });
    await things.create({ a: 'long text', b: 'x', n: 1, list: ['one', 'two'], map: { a: 1, b: 2 } });
    await things.become({
      a: { ...text, maxLength: 3 },
      b: { ...text, enum: ['y'] },
      n: { ...integer, minimum: 5 },
      list: { type: 'array', maxItems: 1, items: { ...text, pattern: '^o' } },
      map: { type: 'object', additionalProperties: { ...integer, minimum: 2 } },
    });
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.set({ b: 'y' });
    await things.set({ a: 'long words' });
    await things.set({ n: 2 });
    await things.set({ list: ['two', 'one'] });
    await things.set({ list: ['one', 'two', 'other'] });
    await things.set({ list: ['one'] });
    await things.set({ map: { c: 9 } });
    await things.set({ map: { c: 1 } });
    await things.set({ map: { a: 0 } });
    await s.post(things.path, things.thing({ a: 'long text', n: 1 }, 'b'));
  });
  add('later: members that are required', async (s) => {
    const things = await Changing.begin(s, { a: text, o: { type: 'object', properties: { b: text, c: text } } });
    await things.create({ o: { c: 'x' } });
    await things.become(
      { a: text, o: { type: 'object', required: ['b'], properties: { b: text, c: text } } },
      { required: ['a'] },
    );
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.set({ o: { c: 'y' } });
    await things.set({ a: 'x' });
    await things.set({ a: 'y', o: { b: 'x' } });
  });
  add('later: another type', async (s) => {
    const things = await Changing.begin(s, { a: text, o: { type: 'object', properties: { b: text } }, c: text });
    await things.create({ a: 'x', o: { b: 'x' }, c: 'x' });
    await things.become({ a: integer, o: { type: 'array', items: text }, c: text });
    await things.read();
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.set({ c: 'y' });
    await things.set({ a: 1, o: null });
  });
  add('later: items of lists by key and by place', async (s) => {
    const item = { type: 'object', required: ['k'], properties: { k: text, v: integer } };
    const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    const things = await Changing.begin(s, {
      keyed: { ...keyed, items: item },
      plain: { type: 'array', items: item },
      set: { type: 'array', items: text },
    });
    const items = [
      { k: 'a', v: 1 },
      { k: 'b', v: 9 },
    ];
    await things.create({ keyed: items, plain: items, set: ['x', 'x'] });
    const strict = { ...item, properties: { k: text, v: { ...integer, minimum: 5 } } };
    await things.become({
      keyed: { ...keyed, items: strict },
      plain: { type: 'array', items: strict },
      set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    });
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.set({
      keyed: [
        { k: 'b', v: 8 },
        { k: 'a', v: 1 },
      ],
    });
    await things.set({ keyed: [{ k: 'a', v: 2 }] });
    await things.set({
      plain: [
        { k: 'a', v: 1 },
        { k: 'b', v: 8 },
      ],
    });
    await things.set({ set: ['x', 'x', 'y'] });
    await things.set({ set: ['x', 'y'] });
  });
  add('later: combinations', async (s) => {
    const things = await Changing.begin(s, {
      a: integer,
      o: { type: 'object', properties: { b: text, c: text } },
      d: text,
    });
    await things.create({ a: 5, o: { b: 'x', c: 'x' }, d: 'x' });
    await things.become({
      a: { ...integer, anyOf: [{ maximum: 1 }, { minimum: 9 }] },
      o: { type: 'object', properties: { b: text, c: text }, oneOf: [{ required: ['b'] }, { required: ['c'] }] },
      d: { ...text, not: { enum: ['x'] } },
    });
    await s.patch('merge', `${things.path}/a`, { metadata: { labels: { a: '1' } } });
    await things.set({ a: 6 });
    await things.set({ o: { b: 'y' } });
    await things.set({ d: 'y' });
    await things.set({ d: 'x' });
  });
  add('later: status', async (s) => {
    const things = await Changing.begin(s, { a: text });
    await things.create({ a: 'long text' });
    await things.become({ a: { ...text, maxLength: 3 } });
    await s.patch('merge', `${things.path}/a/status`, { metadata: { labels: { a: '1' } } });
    await s.patch('merge', `${things.path}/a/status`, {
      metadata: { annotations: { a: '1' } },
      spec: { a: 'other text' },
    });
  });
}
