import { widget } from '../bodies.js';
import { group } from '../session.js';

const { cases, add } = group('delete');
export const stepCases = cases;

/** Marks, finalizers, versions, status, generation, pruning, history and successors in about thirty steps. */
add(
  'one table of steps',
  async (s) => {
    const path = `${s.widgets}/a`;
    const { json: start } = await s.get(s.widgets);
    const watch = await s.open(
      `${s.widgets}?watch=1&resourceVersion=${start.metadata.resourceVersion}&timeoutSeconds=120`,
    );

    // Creation: what the server sets, prunes and defaults; a status is not taken along.
    const { json: first } = await s.post(s.widgets, {
      ...widget(
        'a',
        { zzz: 1, nested: {} },
        { finalizers: ['x.example/a', 'x.example/b'], uid: 'mine', generation: 7 },
      ),
      status: { phase: 'early' },
    });
    await s.post(s.widgets, widget('a'));
    // Generation and version: with the spec, without a change, with metadata alone.
    const { json: second } = await s.put(path, { ...first, spec: { size: 2 } });
    await s.put(path, second);
    await s.patch('merge', path, { metadata: { labels: { a: 'b' } } });
    await s.patch('merge', path, { spec: { size: 2 } });
    // Conflicts: of an old version, of another uid, and what binds a patch to neither.
    await s.put(path, first);
    await s.patch('merge', path, { metadata: { resourceVersion: first.metadata.resourceVersion }, spec: { size: 3 } });
    await s.patch('json', path, [
      { op: 'test', path: '/metadata/uid', value: 'other' },
      { op: 'replace', path: '/spec/size', value: 3 },
    ]);
    await s.patch('merge', path, { spec: { size: 3 } });
    // The status apart from all else.
    await s.patch('merge', path, { status: { phase: 'x' } });
    await s.patch('merge', `${path}/status`, { status: { phase: 'x', zzz: 1 }, spec: { size: 9 } });
    await s.patch('merge', `${path}/status`, { status: { phase: 5 } });
    // Deletion: preconditions, the mark, a second time, changes meanwhile, finalizers that come and go.
    await s.delete(path, { preconditions: { uid: 'other' } });
    await s.delete(`${path}?dryRun=All`);
    await s.delete(path);
    await s.delete(path);
    await s.post(s.widgets, widget('a'));
    await s.patch('merge', path, { spec: { size: 4 } });
    await s.patch('merge', path, { metadata: { finalizers: ['x.example/b', 'x.example/c'] } });
    await s.patch('merge', path, { metadata: { finalizers: ['x.example/b'] } });
    await s.patch('merge', path, { metadata: { finalizers: null }, spec: { size: 5 } });
    await s.get(path);
    await s.patch('merge', path, { spec: { size: 6 } });
    // A successor of the same name is another object.
    const { json: successor } = await s.post(s.widgets, widget('a'));
    s.note('another uid', successor.metadata.uid !== first.metadata.uid);
    await s.put(path, {
      ...first,
      metadata: { ...first.metadata, resourceVersion: successor.metadata.resourceVersion },
    });
    await s.delete(path, { preconditions: { uid: first.metadata.uid } });
    await s.delete(path);
    await s.delete(path);
    // All of it as events, live and again from the beginning.
    await watch.take(11);
    await s.watch(`${s.widgets}?watch=1&resourceVersion=${start.metadata.resourceVersion}&timeoutSeconds=120`, 11);
    // History that was compacted.
    await s.target.compact();
    const exact = `${s.widgets}?resourceVersion=${first.metadata.resourceVersion}&resourceVersionMatch=Exact`;
    await s.until(exact, ({ status }) => status === 410);
    await s.get(exact);
  },
  { alone: true },
);
