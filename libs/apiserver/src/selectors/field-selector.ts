import { goQuote } from '../cel/library/go-quote.js';
import { valueAt, type KubeObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { errors } from '../status.js';

/** Compiles a field selector for stored objects; undefined when it selects everything. */
export function parseFieldSelector(text: string, type: ResourceType): ((stored: KubeObject) => boolean) | undefined {
  // Sorted, as the real server finds fault with the first one by name.
  const terms = text
    .split(/(?<!\\),/)
    .filter((term) => term !== '')
    .toSorted();
  if (terms.length === 0) return undefined;
  const parts = terms.map((term) => {
    const match = /^(.*?)(?<!\\)(==|!=|=)(.*)$/s.exec(term);
    if (match === null) throw errors.badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, label = '', operator = '=', value = ''] = match;
    return { label, operator, wanted: unescaped(value) };
  });
  const matchers = parts.flatMap(({ label, operator, wanted }) => {
    // A term without label and value selects everything.
    if (label === '' && wanted === '') return [];
    const path = pathOf(label, type);
    if (path === undefined) {
      const plain = type.custom === undefined && Object.keys(type.fields).length === 0;
      throw errors.badRequest(
        plain
          ? `${goQuote(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`
          : type.storage === 'batch/jobs'
            ? `field label ${goQuote(label)} not supported for Job`
            : `field label not supported: ${label}`,
      );
    }
    const absent = type.absentFields?.[label] ?? '';
    return (object: KubeObject) => ((asText(valueAt(object, path)) || absent) === wanted) === (operator !== '!=');
  });
  return (object) => matchers.every((matches) => matches(object));
}

/** The name that a field selector pins down, which makes a request one about a named object. */
export function selectedName(text: string): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)(?:,|$)/.exec(text)?.[1];
}

function unescaped(value: string): string {
  return value.replaceAll(/\\([\\,=])|\\(.?)|([,=])/gs, (found, escaped?: string, other?: string) => {
    if (escaped !== undefined) return escaped;
    throw errors.badRequest(
      other === undefined
        ? `invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`
        : `invalid field selector: invalid escape sequence: ${found}`,
    );
  });
}

function pathOf(label: string, type: ResourceType): readonly string[] | undefined {
  if (label === 'metadata.name') return ['metadata', 'name'];
  if (label === 'metadata.namespace' && type.namespaced) return ['metadata', 'namespace'];
  return Object.hasOwn(type.fields, label) ? type.fields[label] : undefined;
}

const asText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
