import type { StatusCause } from '../../status.js';
import { invalidCause, requiredCause } from '../field-causes.js';
import type { Definition } from '../crd-type.js';

const annotation = 'api-approved.kubernetes.io';
const field = `metadata.annotations[${annotation}]`;
const explained = 'https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of the project itself need an approval. One that was missing before may stay away. */
export function approvalCauses(definition: Definition, previous: Definition | undefined): StatusCause[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(definition.spec.group)) return [];
  const state = approvalOf(definition);
  if (previous !== undefined && approvalOf(previous) === state) return [];
  if (state === 'missing') {
    return [requiredCause(field, `protected groups must have approval annotation "${annotation}", see ${explained}`)];
  }
  if (state !== 'invalid') return [];
  const why = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", see ${explained}`;
  return [invalidCause(field, definition.metadata.annotations?.[annotation], why)];
}

function approvalOf({ metadata }: Definition): 'missing' | 'approved' | 'bypassed' | 'invalid' {
  const given = metadata.annotations?.[annotation] ?? '';
  if (given === '') return 'missing';
  if (given.startsWith('unapproved')) return 'bypassed';
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+/i.test(given) ? 'approved' : 'invalid';
}
