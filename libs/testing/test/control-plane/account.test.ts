import { describe, expect, it } from 'vitest';
import { reviewSpec } from '../../src/control-plane/account.js';

describe('the review of a rule', () => {
  it('asks for the first thing that the rule allows', () => {
    expect(
      reviewSpec({ verbs: ['patch', 'get'], apiGroups: ['apps'], resources: ['deployments/status'] }, 'ns'),
    ).toEqual({
      resourceAttributes: {
        namespace: 'ns',
        verb: 'patch',
        group: 'apps',
        resource: 'deployments',
        subresource: 'status',
      },
    });
    expect(reviewSpec({ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }, '')).toEqual({
      resourceAttributes: { namespace: '', verb: 'get', group: '', resource: 'pods', name: 'a' },
    });
    expect(reviewSpec({ verbs: ['get'], nonResourceURLs: ['/metrics'] }, '')).toEqual({
      nonResourceAttributes: { verb: 'get', path: '/metrics' },
    });
  });
});
