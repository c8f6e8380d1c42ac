import { deepEqual, isObject, type KubeObject } from '../json.js';
import { invalidValue, keyCauses } from '../pipeline/metadata-validation.js';
import type { StatusCause } from '../status.js';

const shortText = 128;
const longText = 1024;

const required = (field: string): StatusCause => ({ reason: 'FieldValueRequired', message: 'Required value', field });
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const isUnset = (value: unknown): boolean => value === undefined || value === null || value === '';

// Names of fields that the groups call otherwise: that of the core group, which messages use too, and the newer one.
const newerNames: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
};

/** What is wrong with an Event of the core group. */
export const coreEventCauses = (event: KubeObject): StatusCause[] =>
  commonCauses(event, (name) => event[name], 'reportingComponent');

/** What is wrong with an Event of events.k8s.io, or with the way in which it was changed. */
export function newerEventCauses(event: KubeObject, previous: KubeObject | undefined): StatusCause[] {
  const read =
    (from: KubeObject) =>
    (name: string): unknown =>
      from[newerNames[name] ?? name];
  const field = read(event);
  const causes = commonCauses(event, field, 'reportingController');
  if (previous !== undefined) return [...causes, ...changeCauses(field, read(previous))];
  causes.push(...seriesCauses(field('series')));
  if (isUnset(field('eventTime'))) causes.push(required('eventTime'));
  const type = textIn(field('type'));
  if (type !== 'Normal' && type !== 'Warning') causes.push(invalidValue('type', '', `has invalid value: ${type}`));
  for (const name of ['firstTimestamp', 'lastTimestamp']) {
    if (!isUnset(field(name))) causes.push(invalidValue(name, '', 'needs to be unset'));
  }
  if ((field('count') ?? 0) !== 0) causes.push(invalidValue('count', '', 'needs to be unset'));
  const source = field('source');
  if (isObject(source) && Object.values(source).some((value) => !isUnset(value))) {
    causes.push(invalidValue('source', '', 'needs to be unset'));
  }
  return causes;
}

/** What both groups ask of an event; less of those without a time, as they were before there was one. */
function commonCauses(event: KubeObject, field: (name: string) => unknown, controllerName: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const subject = field('involvedObject');
  const place = isObject(subject) ? textIn(subject['namespace']) : '';
  const own = event.metadata.namespace ?? '';
  const isOld = isUnset(field('eventTime'));
  const homes = isOld ? (place === '' ? ['default'] : [place]) : place === '' ? ['default', 'kube-system'] : [own];
  if (!homes.includes(own)) {
    causes.push(invalidValue('involvedObject.namespace', place, 'does not match event.namespace'));
  }
  if (isOld) return causes;
  const controller = textIn(field('reportingComponent'));
  if (controller === '') causes.push(required(controllerName));
  causes.push(...keyCauses(controller, controllerName));
  for (const name of ['reportingInstance', 'action', 'reason']) {
    const text = textIn(field(name));
    if (text === '') causes.push(required(name));
    if (Buffer.byteLength(text) > shortText) {
      causes.push(invalidValue(name, '', `can have at most ${shortText} characters`));
    }
  }
  if (Buffer.byteLength(textIn(field('message'))) > longText) {
    causes.push(invalidValue('message', '', `can have at most ${longText} characters`));
  }
  return causes;
}

function seriesCauses(series: unknown): StatusCause[] {
  if (!isObject(series)) return [];
  const causes: StatusCause[] = [];
  const { count } = series;
  if (typeof count !== 'number' || count < 2) causes.push(invalidValue('series.count', '', 'should be at least 2'));
  if (isUnset(series['lastObservedTime'])) causes.push(required('series.lastObservedTime'));
  return causes;
}

const lasting = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
];

const times = new Set(['firstTimestamp', 'lastTimestamp', 'eventTime']);
const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** A member as the real server shows it: with the fields of its own types, and what is empty as its type has it. */
function shownMember(name: string, value: unknown): unknown {
  if (name === 'involvedObject') return struct(referenceFields, value ?? {});
  if (name === 'related') return isObject(value) ? struct(referenceFields, value) : null;
  if (name === 'source') return struct(['component', 'host'], value ?? {});
  if (times.has(name)) return value ?? null;
  return value ?? (name === 'count' ? 0 : '');
}

const struct = (fields: readonly string[], value: unknown): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [goName(field), isObject(value) ? (value[field] ?? '') : '']));

const goName = (field: string): string =>
  field === 'uid' ? 'UID' : field === 'apiVersion' ? 'APIVersion' : field[0]!.toUpperCase() + field.slice(1);

function changeCauses(field: (name: string) => unknown, before: (name: string) => unknown): StatusCause[] {
  const causes = deepEqual(field('series'), before('series')) ? [] : seriesCauses(field('series'));
  const check = (name: string, shown = name): void => {
    if (!deepEqual(field(name), before(name))) {
      causes.push(invalidValue(shown, shownMember(name, field(name)), 'field is immutable'));
    }
  };
  for (const name of lasting) check(name);
  check('reportingComponent', 'reportingController');
  check('reportingInstance');
  return causes;
}
