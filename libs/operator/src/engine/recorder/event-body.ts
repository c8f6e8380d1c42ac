import { hostname } from 'node:os';
import type { EventInput } from '../handling/handler-context.js';
import type { StoredObject } from '../kube-object.js';

const longestNote = 1_024;
const longestReason = 128;

/** What the server is told of an event, but for its name and times. */
export interface EventContent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: Readonly<Record<string, unknown>>;
}

export function eventContent(object: StoredObject, event: EventInput): EventContent {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const reason = event.reason.slice(0, longestReason);
  return {
    type: event.type ?? 'Normal',
    reason,
    action: (event.action ?? reason).slice(0, longestReason),
    note: shorten(event.message),
    regarding: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
    },
  };
}

/** Who reports, as the server wants it: a qualified name, 63 characters at most unless a slash follows. */
export function reporterOf(operator: string): Readonly<Record<string, string>> {
  return {
    reportingController: operator.length <= 63 ? operator : `${operator}/operator`,
    reportingInstance: `${operator}-${hostname()}`.slice(0, longestReason),
  };
}

/** Events need a DNS subdomain as their name, which not every kind of object has. */
export function eventNamePrefix(name: string): string {
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, 230);
  const labels = allowed.split('.').map((label) => label.replaceAll(/^-+|-+$/g, ''));
  return labels.filter((label) => label !== '').join('.') || 'object';
}

/** The server wants six decimals. */
export function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

/** The server counts bytes. */
export function shorten(text: string): string {
  if (Buffer.byteLength(text) <= longestNote) return text;
  const kept = Buffer.from(text)
    .subarray(0, longestNote - 3)
    .toString('utf8');
  return `${kept.replace(/\uFFFD+$/u, '')}…`;
}
