import { operatorName } from './names.js';

interface Seen {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The content of an object that matters to a handler, as a text. What the operator keeps on it is left out. */
export function digestFor(handler: string, object: Seen): string {
  const spec = (object['spec'] ?? {}) as Record<string, unknown>;
  switch (handler) {
    case 'sized':
      return JSON.stringify(spec['size']);
    case 'append':
    case 'renew':
      return JSON.stringify(spec['rev']);
    case 'level':
    case 'seen':
      return foreign(object);
    default:
      return essence(object);
  }
}

function essence({ metadata, spec }: Seen): string {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([name]) => !name.startsWith(operatorName));
  return JSON.stringify([spec, metadata.labels, annotations]);
}

/** What only others write: the operator's own writes are no news to level-based handlers and events. */
function foreign({ metadata, spec, status }: Seen): string {
  const { rev, size, items = [] } = (spec ?? {}) as { rev?: number; size?: number; items?: string[] };
  const added = items.filter((item) => !item.startsWith('h'));
  return JSON.stringify([rev, size, added, metadata.labels, (status as { foreign?: unknown } | undefined)?.foreign]);
}

export function revOf(object: Seen): number {
  return ((object['spec'] as { rev?: number } | undefined)?.rev ?? 0) as number;
}
