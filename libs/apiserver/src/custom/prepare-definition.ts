import { isObject, type KubeObject } from '../json.js';
import { prepareClientConfig } from '../webhooks/configuration-defaults.js';

/** Fills in what the server adds to a CustomResourceDefinition that is written. */
export function prepareDefinition(object: KubeObject, previous: KubeObject | undefined): void {
  const spec = object['spec'];
  if (!isObject(spec)) return;
  const names = spec['names'];
  if (isObject(names) && typeof names['kind'] === 'string') {
    names['singular'] ??= names['kind'].toLowerCase();
    names['listKind'] ??= `${names['kind']}List`;
  }
  spec['conversion'] ??= { strategy: 'None' };
  prepareConversion(spec['conversion']);
  const storageVersion = storageVersionOf(object);
  if (previous === undefined) {
    object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [storageVersion] };
  } else if (isObject(object['status'])) {
    const kept = Array.isArray(object['status']['storedVersions']) ? object['status']['storedVersions'] : [];
    if (!kept.includes(storageVersion)) object['status']['storedVersions'] = [...kept, storageVersion];
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

function prepareConversion(conversion: unknown): void {
  if (!isObject(conversion) || !isObject(conversion['webhook'])) return;
  const config = conversion['webhook']['clientConfig'];
  if (isObject(config)) prepareClientConfig(config);
  else if (conversion['strategy'] === 'None' && Object.keys(conversion['webhook']).length === 0) {
    delete conversion['webhook'];
  }
}
