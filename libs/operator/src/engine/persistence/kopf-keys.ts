import type { StoredObject } from '../kube-object.js';

const knownPrefix = 'kopf.zalando.org';
const marker = '/kopf-managed';
const longestKey = 63;
/** A dash and the text of four bytes. */
const longestSuffix = 7;

/** Kopf adds this to its keys on ReplicaSets of Deployments, which inherit the annotations of those. */
export const replicaSetMark = '-ofDRS';

export function isMarkedReplicaSet({ kind, metadata }: StoredObject): boolean {
  return kind === 'ReplicaSet' && (metadata.ownerReferences ?? []).some((owner) => owner.kind === 'Deployment');
}

/**
 * Whether an annotation holds the progress of the handler with this id. Long ids are cut and end in a hash: the name alone
 * up to 63 characters, in older versions name and prefix together. The hash is not looked at.
 */
export function isKopfProgressKey(annotation: string, prefix: string, id: string): boolean {
  if (!annotation.startsWith(`${prefix}/`)) return false;
  const name = annotation.slice(prefix.length + 1);
  const safe = id.replaceAll('/', '.').replaceAll(/[<>]/g, '_');
  if (name === safe) return true;
  return [longestKey, longestKey - prefix.length - 1].some((limit) => {
    if (name.length > limit || safe.length <= limit) return false;
    for (let suffix = 2; suffix <= longestSuffix; suffix += 1) {
      const kept = limit - suffix;
      if (kept > 0 && name.length === limit && name === safe.slice(0, kept) + name.slice(kept) && name[kept] === '-') {
        return true;
      }
    }
    return false;
  });
}

/** The domains under which operators written with Kopf keep annotations on an object that carries these. */
export function kopfPrefixes(annotations: Readonly<Record<string, string>>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const name of Object.keys(annotations)) {
    const prefix = name.slice(0, Math.max(0, name.indexOf('/')));
    if (prefix === knownPrefix || prefix.endsWith(`.${knownPrefix}`) || name.endsWith(marker)) prefixes.add(prefix);
  }
  return prefixes;
}
