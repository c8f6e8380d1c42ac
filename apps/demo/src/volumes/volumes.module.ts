import { Module } from '@nestjs/common';
import { OperatorModule } from 'nestjs-operator';
import { ClaimService } from './claim.service.js';
import { EphemeralVolumeClaimHandlers } from './ephemeral-volume-claim.handlers.js';

/** The operator: handlers, what they need, and the module that finds and runs them. */
@Module({
  imports: [OperatorModule.forRoot({ name: 'volumes.demo.example' })],
  providers: [EphemeralVolumeClaimHandlers, ClaimService],
})
export class VolumesModule {}
