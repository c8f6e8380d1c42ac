// Written by scripts/builtin-schemas.mjs.

export const schedulingV1: string = `
scheduling.v1.PriorityClass {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","value":"i=!","globalDefault":"b","description":"s","preemptionPolicy":{"t":"s:v1.PreemptionPolicy?","e":["Never","PreemptLowerPriority"]}},"g":"scheduling.k8s.io/v1/PriorityClass"}
`;
