/** The programs that a control plane for tests is made of. */
export const CONTROL_PLANE_BINARIES = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const;

/** One program of {@link CONTROL_PLANE_BINARIES}. */
export type ControlPlaneBinary = (typeof CONTROL_PLANE_BINARIES)[number];

/** Absolute paths by program; those that were not asked for may be absent. */
export type ControlPlaneBinaries = Partial<Readonly<Record<ControlPlaneBinary, string>>>;
