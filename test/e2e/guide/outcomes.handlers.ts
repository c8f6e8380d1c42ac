import {
  FatalError,
  HandlerContext,
  OnCreate,
  OnUpdate,
  PermanentError,
  ResourceHandlers,
  TemporaryError,
} from 'nestjs-operator';
import { Site, type SiteStatus } from './site.js';

/** What a registry of domain names may answer. */
export class RegistryError extends Error {
  constructor(readonly answer: 'busy' | 'taken' | 'account closed') {
    super(`The registry says: ${answer}`);
  }
}

/** Claims titles, over whatever protocol; the module provides one. */
export abstract class Registry {
  abstract claim(title: string, signal: AbortSignal): Promise<void>;
}

function judge(error: unknown): unknown {
  if (!(error instanceof RegistryError)) return error; // anything else: retried by policy
  switch (error.answer) {
    case 'busy':
      return new TemporaryError('The registry is busy', { delay: '30s', cause: error });
    case 'taken':
      return new PermanentError('The title is taken: choose another one', { cause: error });
    case 'account closed':
      return new FatalError('Nothing can be claimed any more', { cause: error });
  }
}

@ResourceHandlers(Site)
export class ClaimHandlers {
  constructor(private readonly registry: Registry) {}

  @OnCreate({
    timeout: '10s',
    retries: 5,
    giveUpAfter: '1h',
    backoff: { initial: '2s', cap: '5m' },
    asHandlerError: judge,
  })
  @OnUpdate({ field: 'spec.title' })
  async claim(ctx: HandlerContext<Site>): Promise<SiteStatus> {
    // Sent in any case, also when this method throws.
    ctx.patch.merge({ status: { message: `attempt ${ctx.retry + 1}` } });
    await this.registry.claim(ctx.spec.title, ctx.signal);
    return { message: null };
  }
}
