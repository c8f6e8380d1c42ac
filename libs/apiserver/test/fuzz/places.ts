import { configMaps, widgets } from '../support/fixtures.js';
import type { Dice } from './dice.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

const known = [
  [widgets, `${widgets}/a`, `${widgets}/a`, `${widgets}/a/status`, `${widgets}/a/scale`],
  ['/apis/example.com/v1/widgets', configMaps, `${configMaps}/a`, `${configMaps}/a`],
  ['/api/v1/namespaces/default/secrets/a', '/api/v1/namespaces', '/api/v1/namespaces/other'],
  ['/api/v1/namespaces/other/finalize', '/api/v1/namespaces/default/events', '/api/v1/namespaces/default/services'],
  ['/apis/events.k8s.io/v1/namespaces/default/events/a', '/apis/apps/v1/namespaces/default/deployments/a/scale'],
  [`${rbac}/clusterroles/a`, `${rbac}/namespaces/default/rolebindings`],
  ['/apis/coordination.k8s.io/v1/namespaces/default/leases/a', '/apis/apiextensions.k8s.io/v1'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com/status'],
  ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['/api', '/apis', '/apis/example.com', '/openapi/v3', '/openapi/v3/apis/example.com/v1', '/version', '/healthz'],
].flat();

/** A path that is served, or one that is made of its parts and of others. */
export function path(dice: Dice): string {
  const chosen = dice.pick(known);
  if (dice.chance(0.6)) return chosen;
  const parts = chosen.split('/');
  for (let times = dice.below(3); times >= 0; times--) {
    const at = 1 + dice.below(parts.length);
    const part = dice.chance(0.2)
      ? dice.pick(['%', '%ff', '%00', '%2f', '..', '.', '', 'watch', 'namespaces'])
      : encodeURIComponent(dice.text().toWellFormed());
    parts.splice(at, dice.below(2), part);
  }
  return parts.join('/') || '/';
}

/** Whether a path has an escape that is none: what cannot be read as a request never gets as far as an API. */
export const isUnreadable = (text: string): boolean => /%(?![0-9a-fA-F]{2})/.test(text.split('?')[0]!);

const parameters = [
  ['watch', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'sendInitialEvents'],
  ['allowWatchBookmarks', 'timeoutSeconds', 'labelSelector', 'fieldSelector', 'dryRun', 'fieldValidation'],
  ['fieldManager', 'force', 'pretty', 'includeObject', 'propagationPolicy', 'gracePeriodSeconds'],
  ['orphanDependents', '__proto__', 'ignoreStoreReadErrorWithClusterBreakingPotential'],
].flat();

const values = [
  ['', '0', '1', '-1', 'true', 'false', 'abc', '1e3', '9'.repeat(400), 'All', 'Strict', 'Exact', 'NotOlderThan'],
  ['Foreground', 'Orphan', 'Object', 'a=b,c!=d', 'a in (b,c),!d', 'a in (', '((((', 'metadata.name=a'],
  ['spec.x=y,metadata.namespace!=z'],
].flat();

/** Parameters of a query, with its question mark; empty where there are none. */
export function query(dice: Dice): string {
  const pair = (): string => {
    const name = dice.pick(parameters);
    // A version of the future makes the server wait, which is another test.
    const value =
      name === 'resourceVersion'
        ? dice.pick(['', '0', '1', '-1', 'abc', '00'])
        : name === 'continue' && dice.chance(0.7)
          ? Buffer.from(dice.damaged('{"v":"meta.k8s.io/v1","rv":1,"start":"default/a"}')).toString('base64url')
          : dice.chance(0.7)
            ? dice.pick(values)
            : dice.text();
    return `${name}=${dice.chance(0.05) ? '%zz' : encodeURIComponent(value.toWellFormed())}`;
  };
  const pairs = dice.many(4, pair);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Headers that ask for forms, or say who asks. */
export function headers(dice: Dice): Record<string, string> {
  const chosen: Record<string, string> = {};
  if (dice.chance(0.5)) {
    chosen['accept'] = dice.pick([
      'application/json',
      'application/yaml',
      '*/*;q=x',
      ',;,=',
      'text/html',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
      'application/vnd.kubernetes.protobuf',
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    ]);
  }
  if (dice.chance(0.1))
    chosen['impersonate-user'] = dice.pick(['', 'bob', 'system:serviceaccount:a:b', 'x'.repeat(200)]);
  if (dice.chance(0.1)) chosen['impersonate-group'] = dice.pick(['', 'system:masters', 'team']);
  if (dice.chance(0.05)) chosen['impersonate-extra-a%2'] = 'x';
  if (dice.chance(0.2)) chosen['accept-encoding'] = 'gzip';
  if (dice.chance(0.05)) chosen['if-none-match'] = dice.pick(['*', '"x"', 'W/"']);
  if (dice.chance(0.05)) chosen['audit-id'] = dice.pick(['', 'x'.repeat(400), 'a b']);
  return chosen;
}
