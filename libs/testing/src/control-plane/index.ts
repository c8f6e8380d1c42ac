export type { AccountRequest, ControlPlaneAccount, PolicyRule } from './account.js';
export { BINARIES_FOLDER_VARIABLE } from './binaries-folder.js';
export { CONTROL_PLANE_BINARIES, type ControlPlaneBinaries, type ControlPlaneBinary } from './binary-names.js';
export { KUBERNETES_VERSION } from './build-recipe.js';
export {
  connectControlPlane,
  type ControlPlaneAddress,
  type ControlPlaneConnection,
} from './control-plane-connection.js';
export { ControlPlaneError, type ControlPlaneErrorCode, type ControlPlaneErrorDetails } from './control-plane-error.js';
export { startControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.js';
export { ensureControlPlaneBinaries, type EnsureBinariesOptions } from './ensure-binaries.js';
export type { KubeconfigObject } from './kubeconfig.js';
export type { KubectlOptions, KubectlResult } from './kubectl.js';
