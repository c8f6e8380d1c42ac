import { isObject, type KubeObject } from '../json.js';
import { prepareClientConfig } from '../webhooks/configuration-defaults.js';

/** Fills in what a CustomResourceDefinition leaves out. */
export function completeDefinition(object: KubeObject): void {
  const spec = object['spec'];
  if (!isObject(spec)) return;
  let { names } = spec;
  if (isObject(names) && typeof names['kind'] === 'string') {
    const { kind, singular, listKind } = names as { kind: string; singular?: string; listKind?: string };
    names = {
      ...names,
      singular: singular === undefined || singular === '' ? kind.toLowerCase() : singular,
      listKind: kind === '' || (listKind !== undefined && listKind !== '') ? listKind : `${kind}List`,
    };
  }
  const conversion = spec['conversion'] ?? { strategy: 'None' };
  completeConversion(conversion);
  object['spec'] = { ...spec, names, conversion };
}

/** Sets what only the server decides on in a CustomResourceDefinition that is written. */
export function prepareDefinition(object: KubeObject, previous: KubeObject | undefined): void {
  const spec = object['spec'];
  if (!isObject(spec)) return;
  const storageVersion = storageVersionOf(object);
  if (previous === undefined) {
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storageVersion === undefined ? [] : [storageVersion],
    };
  } else if (isObject(object['status'])) {
    const kept = Array.isArray(object['status']['storedVersions']) ? object['status']['storedVersions'] : [];
    if (storageVersion !== undefined && !kept.includes(storageVersion))
      object['status']['storedVersions'] = [...kept, storageVersion];
  }
}

/** A status always names a version that objects may be stored in. */
export function prepareDefinitionStatus(object: KubeObject): void {
  const status = object['status'];
  if (!isObject(status)) return;
  const stored = status['storedVersions'];
  if (!Array.isArray(stored) || stored.length === 0) status['storedVersions'] = [storageVersionOf(object)];
}

function storageVersionOf({ spec }: KubeObject): unknown {
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  return versions.find((version) => version['storage'] === true)?.['name'];
}

function completeConversion(conversion: unknown): void {
  if (!isObject(conversion) || !isObject(conversion['webhook'])) return;
  const config = conversion['webhook']['clientConfig'];
  if (isObject(config)) prepareClientConfig(config);
  else if (conversion['strategy'] === 'None' && Object.keys(conversion['webhook']).length === 0) {
    delete conversion['webhook'];
  }
}
