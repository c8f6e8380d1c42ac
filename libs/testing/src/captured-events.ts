import type { KubeClient } from 'nestjs-operator';

/** A Kubernetes event, as far as tests look at it. */
export interface CapturedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly message: string;
  /** What it is about. */
  readonly regarding: {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  /** How often it has happened. */
  readonly count: number;
}

interface EventObject {
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
  readonly regarding?: {
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
  readonly eventTime?: string;
  readonly series?: { readonly count?: number };
}

/** All events of events.k8s.io that the server has, oldest first. */
export async function capturedEvents(client: KubeClient): Promise<readonly CapturedEvent[]> {
  const found: EventObject[] = [];
  const resource = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true };
  for await (const event of client.list<EventObject>(resource)) found.push(event);
  const time = ({ eventTime = '' }: EventObject): string => eventTime;
  return found
    .toSorted((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0))
    .map(({ type, reason = '', action = '', note = '', regarding = {}, series }) => {
      const { kind = '', name = '', namespace, uid } = regarding;
      return {
        type: type === 'Warning' ? 'Warning' : 'Normal',
        reason,
        action,
        message: note,
        regarding: {
          kind,
          name,
          ...(namespace === undefined ? {} : { namespace }),
          ...(uid === undefined ? {} : { uid }),
        },
        count: series?.count ?? 1,
      };
    });
}
