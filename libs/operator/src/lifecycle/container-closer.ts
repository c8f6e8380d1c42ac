import { NestApplicationContext, type ModuleRef } from '@nestjs/core';
import type { NestContainer } from '@nestjs/core/injector/container.js';

/** What remains open after an application's modules are gone. */
interface Closable {
  close(): unknown;
}

/** The container behind a ModuleRef: the way from an imported module to its application. */
export function containerOf(moduleRef: ModuleRef): NestContainer {
  return (moduleRef as unknown as { readonly container: NestContainer }).container;
}

/**
 * Closes an application that was never handed to us: runs the shutdown hooks of all modules, and closes HTTP server and
 * transports in between, as the application's own `close()` does. It knows no WebSocket gateway.
 */
export class ContainerCloser extends NestApplicationContext {
  constructor(container: NestContainer) {
    super(container, {}, null);
  }

  protected override async dispose(): Promise<void> {
    // Null without HTTP.
    const httpAdapter = this.container.getHttpAdapterHostRef()?.httpAdapter as Closable | null | undefined;
    const closables = [...(httpAdapter ? [httpAdapter] : []), ...this.transports()];
    const results = await Promise.allSettled(closables.map(async (closable) => closable.close()));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    // A server that never listened says so; it is as closed as it can be.
    const real = failures.filter(
      (error) => (error as { code?: unknown } | undefined)?.code !== 'ERR_SERVER_NOT_RUNNING',
    );
    if (real.length > 0) throw new AggregateError(real, 'Servers of the application did not close');
  }

  private transports(): readonly Closable[] {
    const found: Closable[] = [];
    // The registry replays synchronously. It is absent in Nest 11.0.
    this.container
      .getModules()
      .getRpcTargetRegistry?.<Closable>()
      .subscribe((target) => found.push(target))
      .unsubscribe();
    return found.filter((target) => typeof target?.close === 'function');
  }
}
