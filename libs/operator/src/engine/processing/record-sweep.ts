import { wait } from '../client/wait.js';
import type { RecordOwner } from '../persistence/record-store.js';
import type { ProcessingEnvironment } from './processing-environment.js';

/**
 * Asks a store of the application, once, for the owners of its records: some may have gone while no operator ran. Repeated
 * until the store answers.
 */
export async function ownersInStore(
  { external, clock, config, logger, name }: ProcessingEnvironment,
  signal: AbortSignal,
): Promise<readonly RecordOwner[]> {
  const { throttle } = config.queue;
  for (let failures = 0; ; failures += 1) {
    try {
      return (await external?.list(signal)) ?? [];
    } catch (error) {
      signal.throwIfAborted();
      const delay = throttle[Math.min(failures, throttle.length - 1)];
      if (delay === undefined) throw error;
      logger.log('error', 'A record store could not list its records', { resource: name, delay }, error);
      await wait(clock, delay, signal);
    }
  }
}
