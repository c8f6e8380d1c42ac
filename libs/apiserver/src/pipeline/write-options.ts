import { goQuote } from '../cel/library/go-quote.js';
import { managerNameProblem } from '../fields/manager-name.js';
import { isObject, type JsonObject } from '../json.js';
import { errors, type StatusCause } from '../status.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The query parameters of a write. */
export interface WriteOptions {
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';
  dryRun: boolean;
  fieldValidation: FieldValidation;
  fieldManager?: string;
  /** What the request says of it; empty where it says nothing. */
  givenFieldValidation?: string;
  /** Only an apply: take over what other managers own. */
  force?: boolean;
}

export interface DeleteOptions {
  kind: 'DeleteOptions';
  dryRun: boolean;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  /** The old way to name a policy; an answer tells by its code that it was false. */
  orphanDependents?: boolean;
  preconditions?: { uid?: string; resourceVersion?: string };
}

/** Reads the options of POST, PUT and PATCH; an apply must name its manager. */
export function writeOptions(query: URLSearchParams, kind: WriteOptions['kind'], apply = false): WriteOptions {
  const causes: StatusCause[] = [];
  const dryRun = dryRunOf(query.getAll('dryRun'), causes);
  const fieldValidation = query.get('fieldValidation') ?? '';
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${goQuote(fieldValidation)}: supported values: "", "Ignore", "Strict", "Warn"`,
      field: 'fieldValidation',
    });
  }
  const force = query.get('force');
  if (force !== null && kind === 'PatchOptions' && !apply) {
    causes.push({
      reason: 'FieldValueForbidden',
      message: 'Forbidden: may not be specified for non-apply patch',
      field: 'force',
    });
  }
  const fieldManager = query.get('fieldManager');
  if (apply && (fieldManager ?? '') === '') {
    causes.push({
      reason: 'FieldValueRequired',
      message: 'Required value: is required for apply patch',
      field: 'fieldManager',
    });
  }
  const problem = managerNameProblem(fieldManager ?? '');
  if (problem !== undefined) causes.push({ ...problem, field: 'fieldManager' });
  if (causes.length > 0) throw errors.invalidOptions(kind, causes);
  return {
    kind,
    dryRun,
    fieldValidation: (fieldValidation === '' ? 'Warn' : fieldValidation) as FieldValidation,
    ...(fieldManager === null ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { givenFieldValidation: fieldValidation }),
    // Whatever does not say no says yes, as the real server reads it.
    ...(apply ? { force: force !== null && force !== 'false' && force !== '0' } : {}),
  };
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** The options of a request as an object; those of a patch become those of the operation that it is. */
export function optionsDocument(
  options: WriteOptions | DeleteOptions,
  operation: keyof typeof optionKinds,
): JsonObject {
  const { kind: _kind, dryRun, ...rest } = options;
  const members: JsonObject = { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1', ...rest };
  delete members['fieldValidation'];
  delete members['force'];
  delete members['givenFieldValidation'];
  if ('givenFieldValidation' in options) members['fieldValidation'] = options.givenFieldValidation;
  if (dryRun) members['dryRun'] = ['All'];
  return members;
}

/** Reads delete options from the body or, where there is none, from the query. */
export function deleteOptions(query: URLSearchParams, body: JsonObject | undefined): DeleteOptions {
  const source: Record<string, unknown> = {};
  if (body !== undefined) {
    Object.assign(source, body);
  } else {
    for (const name of ['propagationPolicy', 'gracePeriodSeconds', 'orphanDependents']) {
      const value = query.get(name);
      if (value === null) continue;
      if (name === 'gracePeriodSeconds' && !/^[+-]?\d+$/.test(value)) {
        throw errors.badRequest(`strconv.ParseInt: parsing ${goQuote(value)}: invalid syntax`);
      }
      if (name === 'gracePeriodSeconds') source[name] = Number(value);
      else source[name] = name === 'orphanDependents' ? value !== 'false' && value !== '0' : value;
    }
    const [uid, resourceVersion] = [query.get('uid') || undefined, query.get('resourceVersion') || undefined];
    if (uid !== undefined || resourceVersion !== undefined) source['preconditions'] = { uid, resourceVersion };
    if (query.has('dryRun')) source['dryRun'] = query.getAll('dryRun');
  }
  const causes: StatusCause[] = [];
  const dryRunValues = source['dryRun'];
  const dryRun = dryRunOf(
    Array.isArray(dryRunValues) ? dryRunValues : dryRunValues == null ? [] : [dryRunValues],
    causes,
  );
  let policy = source['propagationPolicy'];
  const orphan = source['orphanDependents'];
  if (policy != null && orphan != null) {
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`,
      field: 'propagationPolicy',
    });
  }
  if (policy != null && !['Background', 'Foreground', 'Orphan'].includes(policy as string)) {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
      field: 'propagationPolicy',
    });
  }
  const grace = source['gracePeriodSeconds'];
  if (grace != null && !(typeof grace === 'number' && Number.isInteger(grace))) {
    throw errors.badRequest(
      `json: cannot unmarshal ${typeof grace} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    );
  }
  if (causes.length > 0) throw errors.invalidOptions('DeleteOptions', causes);
  if (orphan != null && policy == null) policy = orphan === true ? 'Orphan' : 'Background';
  const preconditions = source['preconditions'];
  return {
    kind: 'DeleteOptions',
    dryRun,
    ...(policy == null ? {} : { propagationPolicy: policy as 'Background' }),
    ...(grace == null ? {} : { gracePeriodSeconds: grace as number }),
    ...(typeof orphan === 'boolean' ? { orphanDependents: orphan } : {}),
    ...(isObject(preconditions) ? { preconditions: preconditions as { uid?: string } } : {}),
  };
}

function dryRunOf(values: readonly unknown[], causes: StatusCause[]): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => value === 'All')) return true;
  causes.push({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
    field: 'dryRun',
  });
  return false;
}
