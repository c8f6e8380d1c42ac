import { Inject } from '@nestjs/common';
import type { IndexToken } from '../engine/indexing/index-registry.js';
import type { IndexKey } from '../engine/indexing/object-index.js';
import { indexProviderToken } from './index-providers.js';

/** Injects an index as an `IndexView`, in a module that imports `OperatorModule.forFeature({ indexes: [it] })`. */
export function InjectIndex<K extends IndexKey, V>(index: IndexToken<K, V>): ParameterDecorator & PropertyDecorator {
  return Inject(indexProviderToken(index.name));
}
