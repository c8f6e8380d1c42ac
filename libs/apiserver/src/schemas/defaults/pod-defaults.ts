import { isObject, type JsonObject } from '../../json.js';
import { canonicalQuantity } from '../quantity.js';
import { given, type Defaults } from './given.js';

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

/** Images without a tag, or with the tag `latest`, are pulled each time. */
function pullPolicy(image: unknown): string {
  const name = typeof image === 'string' ? image : '';
  const [repository = '', digest] = name.split('@');
  const tag = /:([^/:]+)$/.exec(repository)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function container(object: JsonObject): void {
  given(object, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(object['image']),
  });
}

const sourceMembers = new Set(['name']);

/** What pods are made of. */
export const podDefaults: Defaults = {
  'core.v1.Container': container,
  'core.v1.EphemeralContainer': container,
  'core.v1.Probe': (object) => given(object, probe),
  'core.v1.HTTPGetAction': (object) => given(object, { path: '/', scheme: 'HTTP' }),
  'core.v1.GRPCAction': (object) => given(object, { service: '' }),
  'core.v1.ObjectFieldSelector': (object) => given(object, { apiVersion: 'v1' }),
  'core.v1.ResourceRequirements': (object) => {
    for (const member of ['limits', 'requests']) roundUp(object[member]);
  },
  'core.v1.SecretVolumeSource': (object) => given(object, { defaultMode: 420 }),
  'core.v1.ConfigMapVolumeSource': (object) => given(object, { defaultMode: 420 }),
  'core.v1.DownwardAPIVolumeSource': (object) => given(object, { defaultMode: 420 }),
  'core.v1.ProjectedVolumeSource': (object) => given(object, { defaultMode: 420 }),
  'core.v1.ServiceAccountTokenProjection': (object) => given(object, { expirationSeconds: 3600 }),
  'core.v1.HostPathVolumeSource': (object) => given(object, { type: '' }),
  'core.v1.Volume': (object) => {
    if (Object.keys(object).every((key) => sourceMembers.has(key))) object['emptyDir'] = {};
  },
  'core.v1.PodSpec': (object) => {
    given(object, {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      schedulerName: 'default-scheduler',
    });
    // The old name of the account is still told beside the new one.
    const account = object['serviceAccountName'] ?? object['serviceAccount'];
    if (account !== undefined) given(object, { serviceAccountName: account, serviceAccount: account });
    if (object['hostNetwork'] === true) hostPorts(object);
  },
  'core.v1.Pod': (object) => {
    const { spec } = object;
    if (!isObject(spec)) return;
    given(spec, { enableServiceLinks: true });
    for (const list of [spec['containers'], spec['initContainers']]) {
      if (Array.isArray(list)) for (const each of list) if (isObject(each)) requestLimits(each['resources']);
    }
  },
};

/** In the network of the node a container's port is one of the node. */
function hostPorts(spec: JsonObject): void {
  for (const list of [spec['containers'], spec['initContainers']]) {
    for (const each of Array.isArray(list) ? list : []) {
      const ports: unknown = isObject(each) ? each['ports'] : undefined;
      for (const port of Array.isArray(ports) ? ports : []) {
        if (isObject(port)) given(port, { hostPort: port['containerPort'] });
      }
    }
  }
}

/** What is limited is asked for, where nothing else is said. */
function requestLimits(resources: unknown): void {
  if (!isObject(resources) || !isObject(resources['limits'])) return;
  const requests = isObject(resources['requests']) ? resources['requests'] : {};
  given(requests, resources['limits']);
  resources['requests'] = requests;
}

/** Resources are counted in thousandths at most. */
function roundUp(resources: unknown): void {
  if (!isObject(resources)) return;
  for (const [name, quantity] of Object.entries(resources)) {
    if (typeof quantity === 'string') resources[name] = canonicalQuantity(quantity, true);
  }
}
