/** Cases of groups that are compared already, in which the embedded server is not like the real one yet. */
export const notYet: ReadonlySet<string> = new Set([
  'admission: a match condition that fails',
  'admission: configurations that are refused: match conditions',
  'admission: match conditions',
  'definitions: refused: names of definitions',
  'definitions: refused: subresources',
  'definitions: refused: versions',
  'definitions: what cannot be changed',
]);
