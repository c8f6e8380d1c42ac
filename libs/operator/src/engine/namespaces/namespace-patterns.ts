interface Rule {
  readonly excludes: boolean;
  readonly name: string;
  readonly pattern: RegExp | undefined;
}

const wildcards = /[*?]/;

/**
 * Which namespaces are meant, by names, globs (`*` any text, `?` one character) and exclusions (`!`). The rules apply in order,
 * the last one that fits a name decides; when the first one excludes, all are meant to begin with.
 */
export class NamespacePatterns {
  readonly #rules: readonly Rule[];

  /** As written: each text may hold several rules, with commas between them. */
  constructor(written: readonly string[]) {
    this.#rules = splitPatterns(written).map(readRule);
  }

  /** The names, if nothing but names is given: nobody needs to look at the namespaces that there are. */
  get names(): readonly string[] | undefined {
    const exact = this.#rules.every(({ excludes, pattern }) => !excludes && pattern === undefined);
    return exact ? [...new Set(this.#rules.map(({ name }) => name))] : undefined;
  }

  matches(namespace: string): boolean {
    const last = this.#rules.findLast(({ name, pattern }) => pattern?.test(namespace) ?? name === namespace);
    return last === undefined ? this.#rules[0]?.excludes === true : !last.excludes;
  }
}

/** The rules of all texts, in order. */
export function splitPatterns(written: readonly string[]): readonly string[] {
  return written.flatMap((text) => text.split(',').map((rule) => rule.trim()));
}

function readRule(text: string): Rule {
  const excludes = text.startsWith('!');
  const name = excludes ? text.slice(1) : text;
  if (!wildcards.test(name)) return { excludes, name, pattern: undefined };
  const source = name
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return { excludes, name, pattern: new RegExp(`^${source}$`) };
}
