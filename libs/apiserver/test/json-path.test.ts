import { describe, expect, it } from 'vitest';
import { compileJsonPath, JsonPathError } from '../src/resources/json-path.js';

const root = {
  spec: {
    s: 'text',
    list: ['x', 'y', 'z'],
    nested: [{ list: [1, 2] }, { list: [3] }],
    conds: [
      { type: 'Ready', status: 'True', n: 1, a: { b: 1 } },
      { type: 'Other', status: 'False', n: 2 },
    ],
    'a.b/c': 'escaped',
    nul: null,
  },
};

describe('paths of printer columns', () => {
  it.each<[string, unknown[]]>([
    ['.spec.s', ['text']],
    [".spec['s']", ['text']],
    ['.spec["s"]', ['text']],
    [String.raw`.spec.a\.b/c`, ['escaped']],
    [String.raw`.spec['a\.b/c']`, ['escaped']],
    ['.spec.missing', []],
    ['.spec.s.x', []],
    ['.spec.nul', [null]],
    ['.spec.list[0]', ['x']],
    ['.spec.list[-1]', ['z']],
    ['.spec.list[9]', []],
    ['.spec.list[*]', ['x', 'y', 'z']],
    ['.spec.list[1:3]', ['y', 'z']],
    ['.spec.list[:-1]', ['x', 'y']],
    ['.spec.list[::2]', ['x', 'z']],
    ['.spec.list[0,2]', ['x', 'z']],
    [".spec['s','nul']", ['text', null]],
    ['.spec.nested[*].list[*]', [1, 2, 3]],
    ['.spec.conds[?(@.type=="Ready")].status', ['True']],
    [".spec.conds[?(@.type=='Ready')].status", ['True']],
    ['.spec.conds[?(@.type!="Ready")].type', ['Other']],
    ['.spec.conds[?(@.n>1)].type', ['Other']],
    ['.spec.conds[?(@.n>=1)].n', [1, 2]],
    ['.spec.conds[?(@.a.b==1)].type', ['Ready']],
    ['.spec.conds[?(@.a)].type', ['Ready']],
    ['.spec.conds[?(@.type=="X")].status', []],
    ['..type', ['Ready', 'Other']],
    ['.', []],
  ])('%s', (path, found) => {
    expect(compileJsonPath(path)(root)).toEqual(found);
  });

  it.each(['.spec.list[', '.spec[?(@.a', '.spec[?(@.a=1)]', '.spec.a[x]', 'spec', '.a]'])(
    '%s cannot be read',
    (path) => {
      expect(() => compileJsonPath(path)).toThrow(JsonPathError);
    },
  );
});
