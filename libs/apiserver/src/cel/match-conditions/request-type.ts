import * as types from '../types/type.js';
import type { Type } from '../types/type.js';

function object(name: string, fields: Readonly<Record<string, Type>>): Type {
  const known = new Map(Object.entries(fields));
  return { kind: 'object', name, field: (field) => known.get(field) };
}

const kind = object('kubernetes.GroupVersionKind', {
  group: types.string,
  version: types.string,
  kind: types.string,
});
const resource = object('kubernetes.GroupVersionResource', {
  group: types.string,
  version: types.string,
  resource: types.string,
});
const userInfo = object('kubernetes.UserInfo', {
  username: types.string,
  uid: types.string,
  groups: types.listOf(types.string),
  extra: types.mapOf(types.string, types.listOf(types.string)),
});

/** What expressions can see of a request for admission, beside its objects. */
export const requestType = object('kubernetes.AdmissionRequest', {
  kind,
  resource,
  subResource: types.string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: types.string,
  name: types.string,
  namespace: types.string,
  operation: types.string,
  userInfo,
  dryRun: types.bool,
  options: types.dyn,
});
