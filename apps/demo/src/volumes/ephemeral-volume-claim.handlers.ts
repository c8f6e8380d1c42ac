import { HandlerContext, OnCreate, OnReconcile, OnUpdate, PermanentError, ResourceHandlers } from 'nestjs-operator';
import { ClaimService } from './claim.service.js';
import { EphemeralVolumeClaim, type EphemeralVolumeClaimStatus } from './ephemeral-volume-claim.js';
import { checkSize } from './storage-size.js';

@ResourceHandlers(EphemeralVolumeClaim)
export class EphemeralVolumeClaimHandlers {
  constructor(private readonly claims: ClaimService) {}

  /** What it returns is merged into the status. */
  @OnCreate()
  @OnUpdate({ field: 'spec.size' })
  async provide(ctx: HandlerContext<EphemeralVolumeClaim>): Promise<EphemeralVolumeClaimStatus> {
    try {
      const size = checkSize(ctx.spec.size);
      const claimName = await this.claims.ensure(ctx.object, size, ctx.signal);
      return { phase: 'Ready', claimName, message: null };
    } catch (error) {
      // Sent although the handler throws. The error itself becomes a Warning event.
      if (error instanceof PermanentError) ctx.patch.merge({ status: { phase: 'Refused', message: error.message } });
      throw error;
    }
  }

  /** A PersistentVolumeClaim that somebody deleted is made again. */
  @OnReconcile({ owns: ['persistentvolumeclaims'] })
  async restore(ctx: HandlerContext<EphemeralVolumeClaim>): Promise<void> {
    if (ctx.deleting || ctx.status?.phase !== 'Ready' || (await this.claims.isThere(ctx.object, ctx.signal))) return;
    await this.claims.ensure(ctx.object, checkSize(ctx.spec.size), ctx.signal);
  }

  @OnUpdate({ field: 'metadata.labels' })
  async followLabels(ctx: HandlerContext<EphemeralVolumeClaim>): Promise<void> {
    if (ctx.status?.claimName === undefined) return;
    const before = Object.keys((ctx.old ?? {}) as Record<string, string>);
    const removed = Object.fromEntries(before.map((label) => [label, null]));
    await this.claims.label(ctx.object, { ...removed, ...ctx.meta.labels }, ctx.signal);
  }
}
