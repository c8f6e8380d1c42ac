import { stringify as stringifyYaml } from 'yaml';
import { parseJson } from '../json.js';
import type { Form } from './negotiation.js';

/** A body as it is sent. */
export interface FormattedBody {
  readonly contentType: string;
  readonly text: string;
}

/** Puts a JSON text into the form that was asked for. */
export function formatted(json: string, { yaml, pretty }: Pick<Form, 'yaml' | 'pretty'>): FormattedBody {
  if (yaml) {
    const text = stringifyYaml(parseJson(json), {
      version: '1.1',
      sortMapEntries: true,
      indentSeq: false,
      singleQuote: true,
      blockQuote: 'literal',
    });
    return { contentType: 'application/yaml', text };
  }
  const text = pretty ? JSON.stringify(parseJson(json), null, 2) : json;
  return { contentType: 'application/json', text: `${text}\n` };
}
