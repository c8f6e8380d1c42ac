import { matchesFormat } from '../../custom/string-formats.js';
import { regexpOf } from '../regexp/go-regexp.js';
import { OpaqueValue, OptionalValue, PlainList, type Result } from '../values/value.js';
import { overload, type Library } from './overload.js';
import { parseUrl } from './url-text.js';

/** Says what is wrong with a text. */
type TextCheck = (text: string) => string[];

/** A format of strings that has a name. */
export class NamedFormatValue extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';

  constructor(
    readonly name: string,
    readonly check: TextCheck,
  ) {
    super();
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof NamedFormatValue && other.name === this.name;
  }
}

interface Pattern {
  readonly source: string;
  readonly what: string;
  readonly examples: readonly string[];
}

const label: Pattern = {
  source: '[a-z0-9]([-a-z0-9]*[a-z0-9])?',
  what: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
};
const subdomain: Pattern = {
  source: String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`,
  what: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
};
const label1035: Pattern = {
  source: '[a-z]([-a-z0-9]*[a-z0-9])?',
  what: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
};
const qualified: Pattern = {
  source: '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  what: "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
};
const labelText: Pattern = {
  source: '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
  what: "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
};

const explain = ({ what, source, examples }: Pattern): string => {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  return `${what} (e.g. ${shown}, regex used for validation is '${source}')`;
};

const matches = (text: string, { source }: Pattern): boolean => regexpOf(`^(?:${source})$`).test(text);
const tooLong = (text: string, most: number, unit: string): string[] =>
  Buffer.byteLength(text) > most ? [`must be no more than ${most} ${unit}`] : [];

const name =
  (pattern: Pattern, most: number): TextCheck =>
  (text) => [...tooLong(text, most, 'characters'), ...(matches(text, pattern) ? [] : [explain(pattern)])];

/** What a name begins with: the hyphen at its end stands for what the server adds. */
const prefix =
  (check: TextCheck): TextCheck =>
  (text) =>
    check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const checkSubdomain = name(subdomain, 253);

function qualifiedName(text: string): string[] {
  const parts = text.split('/');
  const own = parts.at(-1)!;
  if (parts.length > 2) {
    const how = explain({ ...qualified, what: `a valid label key ${qualified.what}` });
    return [`${how} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  if (parts.length === 2) {
    const found =
      parts[0] === ''
        ? ['must be non-empty']
        : [
            ...tooLong(parts[0]!, 253, 'bytes'),
            ...checkSubdomain(parts[0]!).filter((problem) => !problem.startsWith('must be no more')),
          ];
    problems.push(...found.map((problem) => `prefix part ${problem}`));
  }
  if (own === '') problems.push('name part must be non-empty');
  problems.push(...tooLong(own, 63, 'bytes').map((problem) => `name part ${problem}`));
  if (!matches(own, qualified)) problems.push(`name part ${explain(qualified)}`);
  return problems;
}

const openApi =
  (format: string, complaint: string): TextCheck =>
  (text) =>
    matchesFormat(format, text) ? [] : [complaint];

function uri(text: string): string[] {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
}

const formats: ReadonlyMap<string, NamedFormatValue> = new Map(
  Object.entries({
    dns1123Label: name(label, 63),
    dns1123Subdomain: checkSubdomain,
    dns1035Label: name(label1035, 63),
    qualifiedName,
    dns1123LabelPrefix: prefix(name(label, 63)),
    dns1123SubdomainPrefix: prefix(checkSubdomain),
    dns1035LabelPrefix: prefix(name(label1035, 63)),
    labelValue: (text: string) => [
      ...tooLong(text, 63, 'bytes'),
      ...(matches(text, labelText) ? [] : [explain(labelText)]),
    ],
    uri,
    uuid: openApi('uuid', 'does not match the UUID format'),
    byte: (text: string) => (text === '' ? ['invalid base64'] : openApi('byte', 'invalid base64')(text)),
    date: openApi('date', 'invalid date'),
    datetime: openApi('date-time', 'invalid datetime'),
  } satisfies Record<string, TextCheck>).map(([key, check]) => [key, new NamedFormatValue(key, check)] as const),
);

function validate(format: NamedFormatValue, text: string): Result {
  const problems = format.check(text);
  return problems.length === 0 ? OptionalValue.none : new OptionalValue(new PlainList(problems));
}

function named(key: string): Result {
  const format = formats.get(key);
  return format === undefined ? OptionalValue.none : new OptionalValue(format);
}

/** Formats of names and the like. */
export const namedFormatLibrary: Library = {
  'format.named': [overload('(string) optional(NamedFormat)', named)],
  validate: [overload('NamedFormat.(string) optional(list(string))', validate)],
  ...Object.fromEntries(
    Array.from(formats, ([key, format]) => [`format.${key}`, [overload('() NamedFormat', () => format)]]),
  ),
};
