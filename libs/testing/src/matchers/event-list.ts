import { inspect } from 'node:util';

/** What is compared of an event. */
export interface ListedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/**
 * Events of several forms as one: of events.k8s.io (`note`), of the core group (`message`), and as handlers post them (`Normal`
 * where they name no type). A list, or something with a list of `events`.
 *
 * @throws TypeError when it is none of them
 */
export function eventsOf(received: unknown): readonly ListedEvent[] {
  const list = Array.isArray(received) ? received : (received as { readonly events?: unknown } | null)?.events;
  if (!Array.isArray(list)) {
    throw new TypeError(`A list of events is expected, or something with one, not ${inspect(received, { depth: 1 })}.`);
  }
  return (list as readonly Partial<ListedEvent & { readonly note: string }>[]).map((event) => ({
    type: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.note ?? event.message ?? '',
  }));
}
