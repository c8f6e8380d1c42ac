import { describe, expect, it } from 'vitest';
import {
  CustomResource,
  customResourceInfo,
  type CustomResourceOptions,
} from '../../src/decorators/custom-resource.decorator.js';
import { KubeObject } from '../../src/decorators/kube-object.js';
import { toSelector } from '../../src/decorators/resource-reference.js';
import { classInfo } from '../../src/engine/client/kube/resource-ref.js';
import { InvalidResourceError } from '../../src/errors/invalid-resource.error.js';

const options: CustomResourceOptions = {
  group: 'demo.example',
  version: 'v1',
  kind: 'WidgetBox',
  plural: 'widgetboxes',
  scope: 'Namespaced',
};

describe('@CustomResource', () => {
  it('leaves its description on the class, with defaults', () => {
    @CustomResource(options)
    class WidgetBox extends KubeObject<{ size: number }> {}
    const complete = { ...options, singular: 'widgetbox', shortNames: [] };
    expect(customResourceInfo(WidgetBox)).toEqual(complete);
    expect((WidgetBox as unknown as Record<symbol, unknown>)[Symbol.for('nestjs-operator.resource')]).toEqual(complete);
    expect(classInfo(WidgetBox)).toEqual(complete);
    expect(Object.keys(WidgetBox)).toEqual([]);
  });

  it('does not hold for subclasses', () => {
    @CustomResource(options)
    class WidgetBox extends KubeObject {}
    class Special extends WidgetBox {}
    expect(customResourceInfo(Special)).toBeUndefined();
    expect(() => toSelector(Special)).toThrow(/class Special has no @CustomResource/);
  });

  it('names everything that is wrong, at the class', () => {
    const declare = (): unknown => {
      @CustomResource({
        group: 'demo',
        version: '1',
        kind: 'widget',
        plural: 'Widgets',
        singular: 'A b',
        shortNames: ['W'],
        scope: 'Global' as 'Cluster',
      })
      class Widget extends KubeObject {}
      return Widget;
    };
    expect(declare).toThrow(InvalidResourceError);
    for (const name of ['group', 'version', 'kind', 'plural', 'singular', 'shortNames', 'scope']) {
      expect(declare).toThrow(new RegExp(`@CustomResource\\(\\) of Widget: ${name} `));
    }
  });
});

describe('toSelector', () => {
  it.each([
    ['pods', { name: 'pods' }],
    ['pods.v1', { name: 'pods', version: 'v1', group: '' }],
    ['deployments.apps', { name: 'deployments', group: 'apps' }],
    ['deployments.v1.apps', { name: 'deployments', version: 'v1', group: 'apps' }],
    ['widgets.demo.example', { name: 'widgets', group: 'demo.example' }],
    ['widgets.v1beta2.demo.example', { name: 'widgets', version: 'v1beta2', group: 'demo.example' }],
    ['widgets.v1x.example', { name: 'widgets', group: 'v1x.example' }],
    ['Pod', { name: 'Pod' }],
    ['Deployment.apps', { name: 'Deployment', group: 'apps' }],
    [{ kind: 'Pod' }, { kind: 'Pod' }],
    [
      { category: 'all', group: 'apps' },
      { category: 'all', group: 'apps' },
    ],
    [{ group: 'demo.example' }, { group: 'demo.example' }],
    [{ everything: true, version: undefined }, { everything: true }],
    [
      { plural: 'pods', group: '', version: 'v1' },
      { plural: 'pods', group: '', version: 'v1' },
    ],
    [{ plural: 'pods', group: undefined }, { plural: 'pods' }],
  ])('reads %j', (reference, selector) => {
    expect(toSelector(reference)).toEqual(selector);
  });

  it.each([
    '',
    'pods.',
    '.apps',
    'a/b',
    null,
    5,
    {},
    { plural: 'P' },
    { plural: 'pods', group: 1 },
    { plural: 'pods', groups: 'apps' },
    { everything: false },
    { everything: true, kind: 'Pod' },
    { where: 'function' },
    class Plain {},
  ])('refuses %s', (reference) => {
    expect(() => toSelector(reference)).toThrow(InvalidResourceError);
  });
});
