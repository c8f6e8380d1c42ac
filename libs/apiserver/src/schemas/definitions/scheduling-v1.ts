// Written by scripts/builtin-schemas.mjs.

export const schedulingV1 = `
scheduling.v1.PriorityClass {"p":{"apiVersion":"s","description":"s","globalDefault":"b","kind":"s","metadata":"@meta.v1.ObjectMeta=","preemptionPolicy":{"t":"s","e":["Never","PreemptLowerPriority"]},"value":"i="},"g":"scheduling.k8s.io/v1/PriorityClass"}
`;
