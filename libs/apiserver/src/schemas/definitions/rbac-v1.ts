// Written by scripts/builtin-schemas.mjs.

export const rbacV1: string = `
rbac.v1.AggregationRule {"p":{"clusterRoleSelectors":{"t":["@meta.v1.LabelSelector="],"l":"atomic"}}}
rbac.v1.ClusterRole {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","rules":{"t":["@rbac.v1.PolicyRule="],"l":"atomic","n":1},"aggregationRule":"@rbac.v1.AggregationRule?"},"g":"rbac.authorization.k8s.io/v1/ClusterRole"}
rbac.v1.ClusterRoleBinding {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","subjects":{"t":["@rbac.v1.Subject="],"l":"atomic"},"roleRef":"@rbac.v1.RoleRef="},"r":["roleRef"],"g":"rbac.authorization.k8s.io/v1/ClusterRoleBinding"}
rbac.v1.PolicyRule {"p":{"verbs":{"t":["s="],"l":"atomic","n":1},"apiGroups":{"t":["s="],"l":"atomic"},"resources":{"t":["s="],"l":"atomic"},"resourceNames":{"t":["s="],"l":"atomic"},"nonResourceURLs":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
rbac.v1.Role {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","rules":{"t":["@rbac.v1.PolicyRule="],"l":"atomic","n":1}},"g":"rbac.authorization.k8s.io/v1/Role"}
rbac.v1.RoleBinding {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","subjects":{"t":["@rbac.v1.Subject="],"l":"atomic"},"roleRef":"@rbac.v1.RoleRef="},"r":["roleRef"],"g":"rbac.authorization.k8s.io/v1/RoleBinding"}
rbac.v1.RoleRef {"p":{"apiGroup":"s=!","kind":"s=!","name":"s=!"},"r":["kind","name"],"m":"atomic"}
rbac.v1.Subject {"p":{"kind":"s=!","apiGroup":"s","name":"s=!","namespace":"s"},"r":["kind","name"],"m":"atomic"}
`;
