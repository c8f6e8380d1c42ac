import { describe, expect, it } from 'vitest';
import { NamespacePatterns } from '../../../src/engine/namespaces/namespace-patterns.js';

const all = ['default', 'kube-system', 'team-a', 'team-a-test', 'team-b', 'team-b-test', 'team-live-test'];
const others = all.filter((name) => !name.endsWith('-test'));

describe('patterns of namespaces', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['default'], ['default']],
    [
      ['default', 'team-?'],
      ['default', 'team-a', 'team-b'],
    ],
    [['*'], all],
    [['team-*,!*-test'], ['team-a', 'team-b']],
    [
      ['team-*', '!*-test'],
      ['team-a', 'team-b'],
    ],
    [['team-*, !*-test, team-live-test'], ['team-a', 'team-b', 'team-live-test']],
    [['!*-test'], others],
    [
      ['!*-test', '!kube-*', 'team-b-test'],
      [...others.filter((name) => name !== 'kube-system'), 'team-b-test'],
    ],
    [
      ['!team-*', 'team-b'],
      ['default', 'kube-system', 'team-b'],
    ],
    [['t?am-a'], ['team-a']],
    [['eam-a'], []],
    [['tea*'], all.filter((name) => name.startsWith('team'))],
  ])('%j', (written, expected) => {
    const patterns = new NamespacePatterns(written);
    expect(all.filter((name) => patterns.matches(name)).toSorted()).toEqual(expected.toSorted());
  });

  it('tell names from what needs to know the namespaces that there are', () => {
    const names = (...written: string[]) => new NamespacePatterns(written).names;
    expect(names('a,b', 'a')).toEqual(['a', 'b']);
    expect(names('a', '!b')).toBeUndefined();
    expect(names('a*')).toBeUndefined();
  });
});
