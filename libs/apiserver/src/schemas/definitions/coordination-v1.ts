// Written by scripts/builtin-schemas.mjs.

export const coordinationV1: string = `
coordination.v1.Lease {"p":{"kind":"s","apiVersion":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@coordination.v1.LeaseSpec="},"g":"coordination.k8s.io/v1/Lease"}
coordination.v1.LeaseSpec {"p":{"holderIdentity":"s?","leaseDurationSeconds":"i?","acquireTime":"@meta.v1.MicroTime?","renewTime":"@meta.v1.MicroTime?","leaseTransitions":"i?","strategy":"s:v1.CoordinatedLeaseStrategy?","preferredHolder":"s?"}}
`;
