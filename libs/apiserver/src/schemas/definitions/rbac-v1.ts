// Written by scripts/builtin-schemas.mjs.

export const rbacV1 = `
rbac.v1.AggregationRule {"p":{"clusterRoleSelectors":{"t":["@meta.v1.LabelSelector="],"l":"atomic"}}}
rbac.v1.ClusterRole {"p":{"aggregationRule":"@rbac.v1.AggregationRule","apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","rules":{"t":["@rbac.v1.PolicyRule="],"l":"atomic"}},"g":"rbac.authorization.k8s.io/v1/ClusterRole"}
rbac.v1.ClusterRoleBinding {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","roleRef":"@rbac.v1.RoleRef=","subjects":{"t":["@rbac.v1.Subject="],"l":"atomic"}},"r":["roleRef"],"g":"rbac.authorization.k8s.io/v1/ClusterRoleBinding"}
rbac.v1.PolicyRule {"p":{"apiGroups":{"t":["s="],"l":"atomic"},"nonResourceURLs":{"t":["s="],"l":"atomic"},"resourceNames":{"t":["s="],"l":"atomic"},"resources":{"t":["s="],"l":"atomic"},"verbs":{"t":["s="],"l":"atomic"}},"r":["verbs"]}
rbac.v1.Role {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","rules":{"t":["@rbac.v1.PolicyRule="],"l":"atomic"}},"g":"rbac.authorization.k8s.io/v1/Role"}
rbac.v1.RoleBinding {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","roleRef":"@rbac.v1.RoleRef=","subjects":{"t":["@rbac.v1.Subject="],"l":"atomic"}},"r":["roleRef"],"g":"rbac.authorization.k8s.io/v1/RoleBinding"}
rbac.v1.RoleRef {"p":{"apiGroup":"s=","kind":"s=","name":"s="},"r":["kind","name"],"m":"atomic"}
rbac.v1.Subject {"p":{"apiGroup":"s","kind":"s=","name":"s=","namespace":"s"},"r":["kind","name"],"m":"atomic"}
`;
