import { Module } from '@nestjs/common';
import { OperatorModule, type OperatorModuleOptions } from 'nestjs-operator';
import { ClaimService } from './claim.service.js';
import { EphemeralVolumeClaimHandlers } from './ephemeral-volume-claim.handlers.js';

/** Handlers, and what they need. */
export const volumesProviders = [EphemeralVolumeClaimHandlers, ClaimService];

export const volumesOptions: OperatorModuleOptions = {
  name: 'volumes.demo.example',
  // What ClaimService does: the operator cannot know it, but asks for it and puts it into its manifests.
  access: [{ group: '', resources: ['persistentvolumeclaims'], verbs: ['create', 'get', 'patch'] }],
};

/** The operator: handlers, what they need, and the module that finds and runs them. */
@Module({ imports: [OperatorModule.forRoot(volumesOptions)], providers: volumesProviders })
export class VolumesModule {}
