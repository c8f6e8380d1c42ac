import { CustomResource, KubeObject } from 'nestjs-operator';

export interface EphemeralVolumeClaimSpec {
  /** How much storage, as in `1Gi`. */
  readonly size: string;
}

export interface EphemeralVolumeClaimStatus {
  readonly phase?: 'Ready' | 'Refused';
  readonly claimName?: string;
  readonly message?: string | null;
}

@CustomResource({
  group: 'demo.example',
  version: 'v1',
  kind: 'EphemeralVolumeClaim',
  plural: 'ephemeralvolumeclaims',
  shortNames: ['evc'],
  scope: 'Namespaced',
})
export class EphemeralVolumeClaim extends KubeObject<EphemeralVolumeClaimSpec, EphemeralVolumeClaimStatus> {}
