import type { FactoryProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { IndexRegistry, type IndexToken } from '../engine/indexing/index-registry.js';

/** One set of indexes per application: feature modules reach it without the operator's own module. */
const registries = new WeakMap<ModulesContainer, IndexRegistry>();

export function indexRegistryOf(modules: ModulesContainer): IndexRegistry {
  let registry = registries.get(modules);
  if (registry === undefined) registries.set(modules, (registry = new IndexRegistry()));
  return registry;
}

export function indexProviderToken(name: string): symbol {
  return Symbol.for(`nestjs-operator.index.${name}`);
}

/** What makes indexes injectable. */
export function indexProviders(indexes: ReadonlyArray<IndexToken<never, unknown>>): FactoryProvider[] {
  return indexes.map(({ name }) => ({
    provide: indexProviderToken(name),
    useFactory: (modules: ModulesContainer) => indexRegistryOf(modules).get(name),
    inject: [ModulesContainer],
  }));
}
