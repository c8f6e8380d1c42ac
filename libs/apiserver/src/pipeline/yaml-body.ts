import { parseJson } from '../json.js';
import { yamlLibrary } from '../lazy-modules.js';

/** An escape of half a character, in double quotes. */
const halfCharacter = /(?<=".*(?<!\\)(?:\\\\)*)\\u[dD][89a-fA-F][\da-fA-F]{2}/;

/** An escape that the real server does not take in YAML, though two of them make a character in JSON. */
class HalfCharacter extends Error {
  constructor(text: string, at: number) {
    const line = text.slice(0, at).split('\n').length;
    super(`${line === 1 ? '' : `line ${line - 1}: `}found invalid Unicode character escape code`);
  }
}

/** Refuses escapes of half characters that stand before the first other error. */
export function checkEscapes(text: string, before = Infinity): void {
  const at = halfCharacter.exec(text)?.index ?? Infinity;
  if (at < before) throw new HalfCharacter(text, at);
}

/** Parses the first document of a YAML text as the real server does: version 1.1, and only values that JSON knows. */
export function parseYamlBody(text: string): unknown {
  const document = yamlLibrary().parseDocument(text, {
    version: '1.1',
    logLevel: 'silent',
    prettyErrors: false,
    // The last of several equal keys counts.
    uniqueKeys: false,
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|set|omap|pairs/.test(tag.tag)),
  });
  const failed = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  checkEscapes(text, failed?.pos[0]);
  if (failed !== undefined) throw failed;
  // Through JSON: refuses what refers to itself, and keeps nothing that is no JSON.
  return parseJson(JSON.stringify(document.toJS() ?? null));
}
