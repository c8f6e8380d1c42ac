import { isObject, valueAt, type JsonObject, type KubeObject } from '../../json.js';
import type { TableColumn } from '../resource-type.js';
import {
  ageColumn,
  column,
  items,
  labelsText,
  nameColumn,
  orNone,
  phaseText,
  size,
  some,
  text,
  texts,
  wide,
} from './cells.js';

export const namespaceColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', (object) => text(object, 'status', 'phase')),
  ageColumn,
];

export const configMapColumns: readonly TableColumn[] = [
  nameColumn,
  column('Data', (object) => size(object, 'data') + size(object, 'binaryData')),
  ageColumn,
];

export const secretColumns: readonly TableColumn[] = [
  nameColumn,
  column('Type', (object) => text(object, 'type')),
  column('Data', (object) => size(object, 'data')),
  ageColumn,
];

function externalIp(service: KubeObject): string {
  const external = texts(service, 'spec', 'externalIPs');
  switch (text(service, 'spec', 'type')) {
    case 'LoadBalancer': {
      const ingress = items(service, 'status', 'loadBalancer', 'ingress').map(
        (point) => text(point, 'ip') || text(point, 'hostname'),
      );
      return [...new Set(ingress)].toSorted().concat(external).join(',') || '<pending>';
    }
    case 'ExternalName':
      return text(service, 'spec', 'externalName');
    default:
      return orNone(external.join(','));
  }
}

function servicePort(port: JsonObject): string {
  const node = port['nodePort'];
  return `${String(port['port'] as number)}${typeof node === 'number' && node > 0 ? `:${node}` : ''}/${text(port, 'protocol')}`;
}

export const serviceColumns: readonly TableColumn[] = [
  nameColumn,
  column('Type', (object) => text(object, 'spec', 'type')),
  column('Cluster-IP', (object) => orNone(texts(object, 'spec', 'clusterIPs')[0] ?? text(object, 'spec', 'clusterIP'))),
  column('External-IP', externalIp),
  column('Port(s)', (object) => orNone(items(object, 'spec', 'ports').map(servicePort).join(','))),
  ageColumn,
  wide('Selector', (object) => labelsText(valueAt(object, ['spec', 'selector']))),
];

export const endpointsColumns: readonly TableColumn[] = [
  nameColumn,
  column('Endpoints', (object) => {
    const all = items(object, 'subsets').flatMap((subset) => {
      const ports = items(subset, 'ports');
      const addresses = items(subset, 'addresses').map((address) => text(address, 'ip'));
      return ports.length === 0
        ? addresses
        : ports.flatMap((port) =>
            addresses.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${String(port['port'] as number)}`),
          );
    });
    return orNone(some(all, 3));
  }),
  ageColumn,
];

function nodeStatus(node: KubeObject): string {
  const ready = items(node, 'status', 'conditions').find((condition) => condition['type'] === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, ['spec', 'unschedulable']) === true ? `${status},SchedulingDisabled` : status;
}

const roleLabel = 'node-role.kubernetes.io/';

function nodeRoles({ metadata }: KubeObject): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    if (key.startsWith(roleLabel) && key.length > roleLabel.length) roles.add(key.slice(roleLabel.length));
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value);
  }
  return orNone([...roles].toSorted().join(','));
}

const address = (node: KubeObject, type: string): string =>
  orNone(
    text(
      items(node, 'status', 'addresses').find((each) => each['type'] === type),
      'address',
    ),
  );

const info = (node: KubeObject, field: string): string => text(node, 'status', 'nodeInfo', field) || '<unknown>';

export const nodeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', nodeStatus),
  column('Roles', nodeRoles),
  ageColumn,
  column('Version', (object) => text(object, 'status', 'nodeInfo', 'kubeletVersion')),
  wide('Internal-IP', (object) => address(object, 'InternalIP')),
  wide('External-IP', (object) => address(object, 'ExternalIP')),
  wide('OS-Image', (object) => info(object, 'osImage')),
  wide('Kernel-Version', (object) => info(object, 'kernelVersion')),
  wide('Container-Runtime', (object) => info(object, 'containerRuntimeVersion')),
];

const modes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

const accessModes = (given: readonly string[]): string =>
  modes
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',');

const betaClass = 'volume.beta.kubernetes.io/storage-class';

const storageClass = (object: KubeObject): string =>
  object.metadata.annotations?.[betaClass] ?? text(object, 'spec', 'storageClassName');

const attributesClass = column(
  'VolumeAttributesClass',
  (object) => text(object, 'spec', 'volumeAttributesClassName') || '<unset>',
);

const volumeMode = wide('VolumeMode', (object) => text(object, 'spec', 'volumeMode') || '<unset>');

const isBound = (claim: KubeObject): boolean => text(claim, 'spec', 'volumeName') !== '';

export const claimColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', phaseText),
  column('Volume', (object) => text(object, 'spec', 'volumeName')),
  column('Capacity', (object) => (isBound(object) ? text(object, 'status', 'capacity', 'storage') || '0' : '')),
  column('Access Modes', (object) => (isBound(object) ? accessModes(texts(object, 'status', 'accessModes')) : '')),
  column('StorageClass', storageClass),
  attributesClass,
  ageColumn,
  volumeMode,
];

export const volumeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Capacity', (object) => text(object, 'spec', 'capacity', 'storage') || '0'),
  column('Access Modes', (object) => accessModes(texts(object, 'spec', 'accessModes'))),
  column('Reclaim Policy', (object) => text(object, 'spec', 'persistentVolumeReclaimPolicy')),
  column('Status', phaseText),
  column('Claim', (object) =>
    isObject(valueAt(object, ['spec', 'claimRef']))
      ? `${text(object, 'spec', 'claimRef', 'namespace')}/${text(object, 'spec', 'claimRef', 'name')}`
      : '',
  ),
  column('StorageClass', storageClass),
  attributesClass,
  column('Reason', (object) => text(object, 'status', 'reason')),
  ageColumn,
  volumeMode,
];
