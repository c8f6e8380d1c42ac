import { parseJson } from '../json.js';
import { yamlLibrary } from '../lazy-modules.js';

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
  if (failed !== undefined) throw failed;
  // Through JSON: refuses what refers to itself, and keeps nothing that is no JSON.
  return parseJson(JSON.stringify(document.toJS() ?? null));
}
