const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const replacements: readonly (readonly [RegExp, string])[] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
];

/** What a property is called in expressions; undefined where it cannot be reached. */
export function escapePropertyName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return replacements.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), name);
}

/** The escaped name that a name in an expression stands for: of reserved words both forms can be written. */
export const asEscaped = (name: string): string => (reserved.has(name) ? `__${name}__` : name);
