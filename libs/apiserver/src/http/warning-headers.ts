/** Each warning has a header line of its own. */
export function warningHeaders(warnings: readonly string[]): Record<string, string[]> {
  if (warnings.length === 0) return {};
  const quoted = (text: string): string => text.replaceAll(/["\\]/g, (character) => `\\${character}`);
  return { warning: [...new Set(warnings)].map((text) => `299 - "${quoted(text)}"`) };
}
