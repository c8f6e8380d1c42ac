// Written by scripts/builtin-schemas.mjs.

export const shared: string = `
resource.Quantity "q"
runtime.RawExtension "o"
intstr.IntOrString "x"
`;
