import { isObject, type KubeObject } from '../json.js';

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
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : [];
  const storageVersion = versions.find((version) => version['storage'] === true)?.['name'];
  if (previous === undefined) {
    object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [storageVersion] };
  } else if (isObject(object['status'])) {
    const kept = Array.isArray(object['status']['storedVersions']) ? object['status']['storedVersions'] : [];
    if (!kept.includes(storageVersion)) object['status']['storedVersions'] = [...kept, storageVersion];
  }
}
