// Written by scripts/builtin-schemas.mjs.

export const coordinationV1 = `
coordination.v1.Lease {"p":{"apiVersion":"s","kind":"s","metadata":"@meta.v1.ObjectMeta=","spec":"@coordination.v1.LeaseSpec="},"g":"coordination.k8s.io/v1/Lease"}
coordination.v1.LeaseSpec {"p":{"acquireTime":"@meta.v1.MicroTime","holderIdentity":"s","leaseDurationSeconds":"i","leaseTransitions":"i","preferredHolder":"s","renewTime":"@meta.v1.MicroTime","strategy":"s"}}
`;
