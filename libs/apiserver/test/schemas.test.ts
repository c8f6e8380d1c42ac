import { describe, expect, it } from 'vitest';
import { builtinResources } from '../src/resources/builtin-resources.js';
import { builtinSchema, objectMetaSchema } from '../src/schemas/builtin-schemas.js';

describe('schemas of built-in types', () => {
  it('exist for every kind that is served', () => {
    for (const type of builtinResources) {
      expect(Object.keys(type.schema.properties ?? {}), `${type.group}/${type.version} ${type.kind}`).toEqual(
        expect.arrayContaining(['apiVersion', 'kind', 'metadata']),
      );
      expect(type.schema.properties!['metadata']).toBe(objectMetaSchema());
    }
  });

  it('say how lists and maps are merged', () => {
    const container = builtinSchema('', 'v1', 'Pod').properties!['spec']!.properties!['containers']!;
    expect(container).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    const ports = container.items!.properties!['ports']!;
    expect(ports['x-kubernetes-list-map-keys']).toEqual(['containerPort', 'protocol']);
    expect(ports['x-kubernetes-patch-merge-key']).toBe('containerPort');
    expect(ports.items!.required).toEqual(['containerPort']);
    expect(ports.items!.properties!['protocol']).toMatchObject({ default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'] });
    const strategy = builtinSchema('apps', 'v1', 'Deployment').properties!['spec']!.properties!['strategy']!;
    expect(strategy['x-kubernetes-patch-strategy']).toBe('retainKeys');
    const finalizers = objectMetaSchema().properties!['finalizers']!;
    expect(finalizers).toMatchObject({ 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' });
    expect(builtinSchema('', 'v1', 'Event').properties!['involvedObject']!['x-kubernetes-map-type']).toBe('atomic');
  });

  it('tell kinds of scalars apart', () => {
    const container = builtinSchema('', 'v1', 'Pod').properties!['spec']!.properties!['containers']!.items!.properties!;
    expect(container['livenessProbe']!.properties!['httpGet']!.properties!['port']).toMatchObject({
      'x-kubernetes-int-or-string': true,
    });
    expect(container['resources']!.properties!['limits']!.additionalProperties).toMatchObject({ format: 'quantity' });
    expect(objectMetaSchema().properties!['creationTimestamp']).toMatchObject({ type: 'string', format: 'date-time' });
    expect(objectMetaSchema().properties!['generation']).toMatchObject({ type: 'integer', format: 'int64' });
  });

  it('may contain themselves', () => {
    const version = builtinSchema('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition').properties!['spec']!
      .properties!['versions']!.items!;
    const schema = version.properties!['schema']!.properties!['openAPIV3Schema']!;
    expect(schema.properties!['properties']!.additionalProperties).toBe(schema);
    expect(schema.properties!['items']).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true });
  });

  it('are refused for kinds that are unknown', () => {
    expect(() => builtinSchema('', 'v1', 'Widget')).toThrow('there is no definition of Widget in /v1');
  });
});
