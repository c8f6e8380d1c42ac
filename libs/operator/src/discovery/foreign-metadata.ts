import 'reflect-metadata';

/** Metadata by which other parts of Nest, and its common companions, call a method themselves. */
const callers: Readonly<Record<string, string>> = {
  path: 'an HTTP route',
  'microservices:pattern': 'a message pattern',
  'websockets:message_mapping': 'a WebSocket message',
  EVENT_LISTENER_METADATA: 'an event listener',
  SCHEDULE_CRON_OPTIONS: 'a cron job',
  SCHEDULE_INTERVAL_OPTIONS: 'an interval',
  SCHEDULE_TIMEOUT_OPTIONS: 'a timeout',
  'graphql:resolver_type': 'a GraphQL resolver',
};

/**
 * Who else calls this method. Two callers with different arguments share one set of parameter decorators, and Nest 11
 * keeps what it derived from them by class and method name alone.
 */
export function foreignCaller(method: object): string | undefined {
  const keys: readonly unknown[] = Reflect.getOwnMetadataKeys(method);
  return Object.entries(callers).find(([key]) => keys.includes(key))?.[1];
}
