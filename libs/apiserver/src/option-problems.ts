import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ApiServerOptions } from './api-server-options.js';
import { documents } from './direct-client.js';
import type { ApiUser } from './http/authentication.js';
import { isObject, type JsonObject } from './json.js';
import { versionProblem } from './kubernetes-version.js';
import { defaultLimits } from './pipeline/server-context.js';
import { webhookProblems } from './webhooks/webhook-targets.js';

type Check = (value: unknown) => string | undefined;

const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const callable: Check = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `must be an integer ${most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`}, got ${shown(value)}`;

const checks: { readonly [K in keyof ApiServerOptions]-?: Check | undefined } = {
  clock: (value) =>
    isObject(value) && ['now', 'monotonic', 'setTimer'].every((method) => typeof value[method] === 'function')
      ? undefined
      : 'must have the methods now, monotonic and setTimer',
  kubernetesVersion: (value) => (typeof value === 'string' ? undefined : `must be a text, got ${shown(value)}`),
  crds: undefined,
  objects: undefined,
  users: undefined,
  limits: undefined,
  authorization: (value) =>
    value === 'authenticated' || value === 'rbac'
      ? undefined
      : `must be 'authenticated' or 'rbac', got ${shown(value)}`,
  gc: boolean,
  namespaceController: boolean,
  port: integer(0, 65_535),
  random: callable,
  faultSeed: integer(0),
  webhooks: undefined,
  bookmarkInterval: integer(1),
  historySize: integer(1),
  eventTtl: integer(0),
  stateFile: (value) => {
    if (typeof value !== 'string' || value === '') return 'must be the path of a file';
    const folder = dirname(value);
    return existsSync(folder) ? undefined : `lies in the folder ${folder}, which does not exist`;
  },
  onInternalError: callable,
};

/** Everything that is wrong with the options, as far as it can be told without the server. */
export function optionProblems(options: ApiServerOptions): string[] {
  if (!isObject(options)) return ['the options must be an object'];
  const problems: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) {
      problems.push(`there is no option ${name}`);
      continue;
    }
    if (value === undefined) continue;
    const problem = checks[name as keyof ApiServerOptions]?.(value);
    if (problem !== undefined) problems.push(`${name} ${problem}`);
  }
  if (typeof options.kubernetesVersion === 'string') {
    const problem = versionProblem(options.kubernetesVersion);
    if (problem !== undefined) problems.push(problem);
  }
  problems.push(...webhookProblems(options.webhooks));
  problems.push(...limitProblems(options.limits), ...userProblems(options.users));
  problems.push(...documentProblems('crds', options.crds), ...documentProblems('objects', options.objects));
  return problems;
}

function limitProblems(limits: unknown): string[] {
  if (limits === undefined) return [];
  if (!isObject(limits)) return ['limits must be an object'];
  return Object.entries(limits).flatMap(([name, value]) => {
    if (!Object.hasOwn(defaultLimits, name)) return [`there is no limit limits.${name}`];
    const problem = value === undefined ? undefined : integer(1)(value);
    return problem === undefined ? [] : [`limits.${name} ${problem}`];
  });
}

function userProblems(users: unknown): string[] {
  if (users === undefined) return [];
  if (!Array.isArray(users)) return ['users must be a list'];
  const problems: string[] = [];
  for (const field of ['name', 'token'] as const) {
    const seen = new Map<unknown, number>();
    (users as (ApiUser | undefined)[]).forEach((user, index) => {
      const value: unknown = user?.[field];
      if (typeof value !== 'string' || value === '') problems.push(`users[${index}].${field} must be a text`);
      else if (seen.has(value)) problems.push(`users[${index}].${field} is that of users[${seen.get(value)}] too`);
      else seen.set(value, index);
    });
  }
  (users as (ApiUser | undefined)[]).forEach((user, index) => {
    const groups: unknown = user?.groups;
    if (groups === undefined) return;
    if (!Array.isArray(groups) || groups.some((group) => typeof group !== 'string')) {
      problems.push(`users[${index}].groups must be a list of texts`);
    }
  });
  return problems;
}

function documentProblems(option: 'crds' | 'objects', given: unknown): string[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [`${option} must be a list of objects or YAML texts`];
  return given.flatMap((each: unknown, index) => {
    const where = `${option}[${index}]`;
    if (typeof each !== 'string' && !isObject(each)) return [`${where} must be an object or a YAML text`];
    try {
      return documents(each as JsonObject | string).flatMap(({ apiVersion, kind }: JsonObject) => {
        if (typeof kind !== 'string' || typeof apiVersion !== 'string') return [`${where} lacks apiVersion or kind`];
        const foreign = option === 'crds' && kind !== 'CustomResourceDefinition';
        return foreign ? [`${where} is a ${kind}, and no CustomResourceDefinition`] : [];
      });
    } catch (error) {
      return [`${where} cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`];
    }
  });
}

const shown = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? JSON.stringify(value)
    : value === null
      ? 'null'
      : `a value of type ${typeof value}`;
