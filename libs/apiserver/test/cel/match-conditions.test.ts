import { describe, expect, it } from 'vitest';
import type { AccessAttributes } from '../../src/access/access-attributes.js';
import type { Authorizer } from '../../src/access/authorizer.js';
import {
  evaluateMatchConditions,
  matchConditionProblem,
  type ConditionInput,
} from '../../src/cel/match-conditions/match-conditions.js';

const asked: AccessAttributes[] = [];
const authorizer: Authorizer = {
  decide(attributes) {
    asked.push(attributes);
    return {
      allowed: attributes.identity.name === 'admin',
      reason: 'because',
      error: attributes.path === '/x' ? 'broken' : '',
    };
  },
  rulesOf: () => ({ rules: [] }),
};

const input: ConditionInput = {
  object: { kind: 'ConfigMap', metadata: { name: 'c', labels: { a: 'b' } }, data: { a: '1' } },
  oldObject: null,
  request: {
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'c',
    namespace: 'n',
    operation: 'CREATE',
    userInfo: { username: 'admin', groups: ['system:masters'] },
    dryRun: false,
  },
  authorizer: { authorizer, identity: { name: 'admin', groups: [] } },
};

const evaluate = (...expressions: string[]): unknown => evaluateMatchConditions(expressions, input);

describe('match conditions', () => {
  it.each<[string, boolean]>([
    ["object != null && 'a' in object.data && object.data.a == '1'", true],
    ['oldObject != null', false],
    ["request.operation == 'CREATE' && request.name == 'c' && request.kind.kind == 'ConfigMap'", true],
    ["request.userInfo.username == 'admin' && 'system:masters' in request.userInfo.groups", true],
    ['has(request.subResource) || has(request.userInfo.uid)', false],
    ['request.?dryRun.orValue(true)', false],
    ["object.metadata.labels.all(k, v, k == 'a' && v == 'b')", true],
    ["authorizer.group('apps').resource('deployments').check('get').allowed()", true],
    ["authorizer.serviceAccount('default', 'plain').path('/y').check('get').allowed()", false],
    ["authorizer.requestResource.check('create').reason() == 'because'", true],
    ["authorizer.path('/x').check('get').errored() && authorizer.path('/x').check('get').error() == 'broken'", true],
  ])('%s', (expression, matches) => {
    expect(matchConditionProblem(expression)).toBeUndefined();
    expect(evaluate(expression)).toEqual({ matches });
  });

  it('ask for what they say', () => {
    const about = "authorizer.group('g').resource('r').subresource('s').namespace('n').name('x')";
    asked.length = 0;
    evaluate(`${about}.labelSelector('a=b').fieldSelector('c=d').check('get').allowed()`);
    evaluate("authorizer.serviceAccount('ns', 'sa').path('/p').check('post').allowed()");
    evaluate("authorizer.requestResource.check('list').allowed()");
    const resource = { group: 'g', plural: 'r', subresource: 's', namespace: 'n', name: 'x' };
    expect(asked).toEqual([
      { identity: { name: 'admin', groups: [] }, verb: 'get', resource, path: '' },
      {
        identity: {
          name: 'system:serviceaccount:ns:sa',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
        },
        verb: 'post',
        resource: undefined,
        path: '/p',
      },
      {
        identity: { name: 'admin', groups: [] },
        verb: 'list',
        resource: { group: '', plural: 'configmaps', subresource: undefined, namespace: 'n', name: 'c' },
        path: '',
      },
    ]);
  });

  it.each([
    ["object.data.missing == 'x'", 'no such key: missing'],
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('d/', 'a').path('/').check('get').allowed()", 'Invalid service account namespace'],
    ["authorizer.serviceAccount('d', 'P_').path('/').check('get').allowed()", 'Invalid service account name'],
    ['[1].all(x, lists.range(900000).all(y, y >= 0))', 'operation cancelled: actual cost limit exceeded'],
  ])('%s fails', (expression, why) => {
    expect(evaluate(expression)).toEqual({ error: `expression '${expression}' resulted in error: ${why}` });
  });

  it('that are not met count more than those that fail', () => {
    expect(evaluate("object.x == 'x'", 'false')).toEqual({ matches: false });
    expect(evaluate("object.x == 'x'", 'true', 'object.y == 1')).toEqual({
      error:
        "[expression 'object.x == 'x'' resulted in error: no such key: x, expression 'object.y == 1' resulted in error: no such key: y]",
    });
    expect(evaluate()).toEqual({ matches: true });
  });

  it('end together where they cost too much', () => {
    const costly = 'lists.range(200000).all(x, x >= 0)';
    expect(evaluate(costly, costly, costly, costly, 'false')).toEqual({
      error: 'validation failed due to running out of cost budget, no further validation rules will be run',
    });
  });

  it.each([
    [
      'object.',
      "compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^",
    ],
    ['1', 'must evaluate to bool but got int'],
    ['object.a', 'must evaluate to bool but got dyn'],
    ['authorizer', 'must evaluate to bool but got kubernetes.authorization.Authorizer'],
    [
      'unknown == 1',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'unknown' (in container '')\n | unknown == 1\n | ^",
    ],
    [
      'request.uid == ""',
      'compilation failed: ERROR: <input>:1:8: undefined field \'uid\'\n | request.uid == ""\n | .......^',
    ],
  ])('%s is none', (expression, why) => {
    expect(matchConditionProblem(expression)).toBe(why);
  });

  it('know of no authorizer where there is none', () => {
    const { authorizer: _, ...rest } = input;
    const expression = "authorizer.path('/').check('get').allowed()";
    expect(evaluateMatchConditions([expression], rest)).toEqual({
      error: `expression '${expression}' resulted in error: no such attribute(s): authorizer`,
    });
  });
});
