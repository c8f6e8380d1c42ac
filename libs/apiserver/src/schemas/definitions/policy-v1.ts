// Written by scripts/builtin-schemas.mjs.

export const policyV1: string = `
policy.v1.Eviction {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","deleteOptions":"@meta.v1.DeleteOptions?"},"g":"policy/v1/Eviction"}
policy.v1.PodDisruptionBudget {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@policy.v1.PodDisruptionBudgetSpec=","status":"@policy.v1.PodDisruptionBudgetStatus="},"g":"policy/v1/PodDisruptionBudget"}
policy.v1.PodDisruptionBudgetSpec {"p":{"minAvailable":"@intstr.IntOrString?","selector":{"t":"@meta.v1.LabelSelector?","s":"replace"},"maxUnavailable":"@intstr.IntOrString?","unhealthyPodEvictionPolicy":{"t":"s:v1.UnhealthyPodEvictionPolicyType?","e":["AlwaysAllow","IfHealthyBudget"]}}}
policy.v1.PodDisruptionBudgetStatus {"p":{"observedGeneration":"l","disruptedPods":{"*":"@meta.v1.Time"},"disruptionsAllowed":"i=!","currentHealthy":"i=!","desiredHealthy":"i=!","expectedPods":"i=!","conditions":{"t":["@meta.v1.Condition="],"l":"map","k":["type"],"key":"type","s":"merge"}}}
`;
