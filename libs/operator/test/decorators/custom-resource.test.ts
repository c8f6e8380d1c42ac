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
    ['pods', { plural: 'pods' }],
    ['pods.v1', { plural: 'pods', version: 'v1', group: '' }],
    ['deployments.apps', { plural: 'deployments', group: 'apps' }],
    ['deployments.v1.apps', { plural: 'deployments', version: 'v1', group: 'apps' }],
    ['widgets.demo.example', { plural: 'widgets', group: 'demo.example' }],
    ['widgets.v1beta2.demo.example', { plural: 'widgets', version: 'v1beta2', group: 'demo.example' }],
    ['widgets.v1x.example', { plural: 'widgets', group: 'v1x.example' }],
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
    'Pods',
    'pods.',
    '.apps',
    'a/b',
    null,
    5,
    {},
    { plural: 'P' },
    { plural: 'pods', group: 1 },
    class Plain {},
  ])('refuses %s', (reference) => {
    expect(() => toSelector(reference)).toThrow(InvalidResourceError);
  });
});
