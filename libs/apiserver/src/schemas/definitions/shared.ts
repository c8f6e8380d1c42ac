// Written by scripts/builtin-schemas.mjs.

export const shared = `
resource.Quantity "q"
runtime.RawExtension "o"
intstr.IntOrString "x"
`;
