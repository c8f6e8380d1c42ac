import { Module } from '@nestjs/common';
import { OperatorModule } from 'nestjs-operator';
import { ClaimService } from '../volumes/claim.service.js';
import { EphemeralVolumeClaimHandlers } from '../volumes/ephemeral-volume-claim.handlers.js';

/**
 * The same operator without the throttle: an error that is not a handler's then has nowhere to go but up, and the
 * operator must end rather than go on deaf.
 */
@Module({
  imports: [OperatorModule.forRoot({ name: 'volumes.demo.example', queue: { throttle: [] } })],
  providers: [EphemeralVolumeClaimHandlers, ClaimService],
})
export class CrashModule {}
