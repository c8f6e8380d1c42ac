import { YAMLError } from 'yaml';

/** What the real server says of a YAML text that cannot be read, where it is known; else what the parser says. */
export function yamlProblem(error: unknown, text: string): string {
  if (error instanceof YAMLError) return parserProblem(error, text);
  const message = error instanceof Error ? error.message : String(error);
  const alias = /^Unresolved alias .*: (.*)$/.exec(message)?.[1];
  return alias === undefined ? message : `unknown anchor '${alias}' referenced`;
}

function parserProblem({ code, message, pos: [start] }: YAMLError, text: string): string {
  const line = text.slice(0, start).split('\n').length;
  // The one half of the real server's parser counts lines from 0, the other from 1, and 0 is not told.
  const atCharacter = line === 1 ? '' : `line ${line}: `;
  const atToken = line === 1 ? '' : `line ${line - 1}: `;
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return `${atCharacter}mapping values are not allowed in this context`;
    case 'TAB_AS_INDENT':
    case 'BAD_SCALAR_START':
      return `${atCharacter}found character that cannot start any token`;
    case 'BAD_INDENT':
    case 'MISSING_CHAR': {
      const flow = /^Flow (map|sequence)/.exec(message)?.[1];
      const between = /between flow (map|sequence) items/.exec(message)?.[1];
      if (between !== undefined) return `${atToken}did not find expected ',' or '${between === 'map' ? '}' : ']'}'`;
      if (flow === undefined) return /quote/.test(message) ? `${atToken}found unexpected end of stream` : message;
      if (/[[{,]\s*$/.test(text.slice(0, start))) return `line ${line}: did not find expected node content`;
      return `line ${line}: did not find expected ',' or '${flow === 'map' ? '}' : ']'}'`;
    }
    case 'UNEXPECTED_TOKEN':
      return /^\s*- /.test(text)
        ? `${atToken}did not find expected '-' indicator`
        : `${atToken}did not find expected key`;
    default:
      return message;
  }
}
