import { isObject, parseJson, type KubeObject } from '../json.js';
import { invalidValue } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';

const largest = 1024 * 1024;
const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with the data of a ConfigMap. */
export function configMapCauses({ data, binaryData }: KubeObject): StatusCause[] {
  const causes: StatusCause[] = [];
  let size = 0;
  for (const [key, value] of entries(data)) {
    causes.push(...keyProblems(key).map((why) => invalidValue(`data[${key}]`, key, why)));
    if (isObject(binaryData) && Object.hasOwn(binaryData, key)) {
      causes.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of entries(binaryData)) {
    causes.push(...keyProblems(key).map((why) => invalidValue(`binaryData[${key}]`, key, why)));
    size += Buffer.byteLength(value, 'base64');
  }
  // The real server does not say which field it is.
  if (size > largest) causes.push(tooLong('[]'));
  return causes;
}

/** What each type of Secret must hold. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

const accountAnnotation = 'kubernetes.io/service-account.name';

/** What is wrong with the data of a Secret, or with how it was changed. */
export function secretCauses({ data, type, metadata }: KubeObject, previous: KubeObject | undefined): StatusCause[] {
  const causes: StatusCause[] = [];
  if (previous !== undefined && previous['type'] !== type)
    causes.push(invalidValue('type', type, 'field is immutable'));
  const keys = entries(data);
  let size = 0;
  for (const [key, value] of keys) {
    causes.push(...keyProblems(key).map((why) => invalidValue(`data[${key}]`, key, why)));
    size += Buffer.byteLength(value, 'base64');
  }
  if (size > largest) causes.push(tooLong('data'));
  const has = (key: string): boolean => keys.some(([known]) => known === key);
  const missing = (neededKeys[String(type)] ?? []).filter((key) => !has(key));
  if (type === 'kubernetes.io/basic-auth' && !has('username') && !has('password')) missing.push('username', 'password');
  causes.push(...missing.map((key) => required(`data[${key}]`)));
  if (type === 'kubernetes.io/service-account-token' && (metadata.annotations?.[accountAnnotation] ?? '') === '') {
    causes.push(required(`metadata.annotations[${accountAnnotation}]`));
  }
  for (const key of ['.dockercfg', '.dockerconfigjson']) {
    if (!neededKeys[String(type)]?.includes(key) || !has(key)) continue;
    const why = jsonProblem(keys.find(([known]) => known === key)![1]);
    if (why !== undefined) causes.push(invalidValue(`data[${key}]`, '<secret contents redacted>', why));
  }
  return causes;
}

const required = (field: string): StatusCause => ({ reason: 'FieldValueRequired', message: 'Required value', field });

const tooLong = (field: string): StatusCause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${largest} bytes`,
  field,
});

/** Members by their keys in order, as long as they are texts. */
const entries = (map: unknown): [key: string, value: string][] =>
  isObject(map)
    ? Object.entries(map)
        .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
        .sort(([a], [b]) => (a < b ? -1 : 1))
    : [];

function keyProblems(key: string): string[] {
  const problems: string[] = [];
  if (key.length > 253) problems.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(keyRule);
  if (key === '.') problems.push("must not be '.'");
  else if (key === '..') problems.push("must not be '..'");
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

function jsonProblem(base64: string): string | undefined {
  try {
    parseJson(Buffer.from(base64, 'base64').toString());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
