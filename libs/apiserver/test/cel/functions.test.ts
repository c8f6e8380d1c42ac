import { expect, it } from 'vitest';
import { environmentWith } from '../../src/cel/checker/environment.js';
import { recordedCosts, recordedExpressions } from './recorded.js';

/** Looked at by tests of match conditions, as rules have no authorizer. */
const ofAuthorizers = new Set(
  'path group serviceAccount resource subresource namespace name fieldSelector labelSelector check errored error allowed reason'.split(
    ' ',
  ),
);

it('of every function there is a record', () => {
  const texts = [
    ...recordedExpressions().map(({ expression }) => expression),
    ...recordedCosts().flatMap(({ costs }) => Object.keys(costs)),
  ].join('\n');
  const isSeen = (name: string): boolean =>
    texts.includes(`${name}(`) || texts.includes(name.replace(/^.*\./, '.') + '(');
  const names = [...environmentWith({}).functions.keys()].filter(
    (name) => /^[a-z][\w.]*$/i.test(name) && !ofAuthorizers.has(name),
  );
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !isSeen(name))).toEqual([]);
});
