// Written by scripts/builtin-schemas.mjs.

export const policyV1 = `
policy.v1.Eviction {"p":{"apiVersion":"s","deleteOptions":"@meta.v1.DeleteOptions","kind":"s","metadata":"@meta.v1.ObjectMeta="},"g":"policy/v1/Eviction"}
policy.v1.PodDisruptionBudget {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@policy.v1.PodDisruptionBudgetSpec=","status":"@policy.v1.PodDisruptionBudgetStatus="},"g":"policy/v1/PodDisruptionBudget"}
policy.v1.PodDisruptionBudgetSpec {"p":{"maxUnavailable":"@intstr.IntOrString","minAvailable":"@intstr.IntOrString","selector":{"t":"@meta.v1.LabelSelector","s":"replace"},"unhealthyPodEvictionPolicy":{"t":"s","e":["AlwaysAllow","IfHealthyBudget"]}}}
policy.v1.PodDisruptionBudgetStatus {"p":{"conditions":{"t":["@meta.v1.Condition="],"l":"map","k":["type"],"key":"type","s":"merge"},"currentHealthy":"i=","desiredHealthy":"i=","disruptedPods":{"*":"@meta.v1.Time"},"disruptionsAllowed":"i=","expectedPods":"i=","observedGeneration":"l"}}
`;
