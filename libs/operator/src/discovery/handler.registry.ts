import { isInTwoVersions, isSame, mayBeSame, toSelector } from '../decorators/resource-reference.js';
import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import type { ActivityDefinition, HandlerDefinition, Trigger } from '../engine/handling/handler-definition.js';
import { recordPlaces } from '../engine/persistence/record-store.js';
import { selectorName, type ResourceSelector } from '../engine/resource.js';
import { InvalidHandlersError } from '../errors/invalid-handlers.error.js';
import { InvalidResourceError } from '../errors/invalid-resource.error.js';
import { originOf, type DiscoveredMethod } from './discovered-method.js';
import { foreignCaller } from './foreign-metadata.js';
import { unknownOptions } from './option-names.js';
import { compilePolicy } from './policy-compiler.js';
import { compileProbe } from './probe-compiler.js';
import { compileTrigger } from './trigger-compiler.js';

/** All handlers of the application, checked, with the method behind each. */
export interface HandlerRegistry {
  readonly handlers: readonly HandlerDefinition[];
  readonly activities: readonly ActivityDefinition[];
  readonly methods: ReadonlyMap<HandlerDefinition | ActivityDefinition, DiscoveredMethod>;
}

/**
 * Turns discovered methods into definitions. `stores`: names of the application's own record stores.
 *
 * @throws InvalidHandlersError `OPERATOR_INVALID_HANDLERS` with every problem of every handler.
 */
export function buildRegistry(
  discovered: readonly DiscoveredMethod[],
  stores: readonly string[] = [],
): HandlerRegistry {
  const problems: string[] = [];
  const handlers: HandlerDefinition[] = [];
  const activities: ActivityDefinition[] = [];
  const methods = new Map<HandlerDefinition | ActivityDefinition, DiscoveredMethod>();
  for (const method of discovered) {
    const report = (problem: string): void => void problems.push(`${originOf(method)}: ${problem}`);
    checkMethod(method, report);
    const found = compileActivities(method, report);
    activities.push(...found);
    for (const activity of found) methods.set(activity, method);
    const handler = found.length === 0 ? compileHandler(method, report) : undefined;
    if (handler === undefined) continue;
    handlers.push(handler);
    methods.set(handler, method);
  }
  reportDuplicates(handlers, activities, methods, problems);
  reportStores(handlers, [...recordPlaces, ...stores], problems);
  if (problems.length > 0) throw new InvalidHandlersError(problems);
  return { handlers, activities, methods };
}

type Report = (problem: string) => void;

/** Nothing is kept of these calls, so they cannot share a handler's progress. */
const standAlone: ReadonlySet<string> = new Set([
  'reconcile',
  'event',
  'daemon',
  'index',
  'startup',
  'cleanup',
  'probe',
]);

function checkMethod({ declarations, callback }: DiscoveredMethod, report: Report): void {
  for (const problem of declarations.flatMap(unknownOptions)) report(problem);
  const caller = foreignCaller(callback);
  if (caller !== undefined) report(`the method is also ${caller}; give each its own method`);
  for (const once of ['timer', 'daemon', 'index'] as const) {
    const [first, second] = declarations.filter(({ on }) => on === once);
    if (first === undefined || second === undefined) continue;
    report(`two @${first.decorator}() on one method: one method is one handler; give each its own method`);
  }
  const names = declarations.map(({ decorator }) => `@${decorator}()`);
  const alone = declarations.find(({ on }) => standAlone.has(on));
  const activities = declarations.every(({ on }) => on === 'startup' || on === 'cleanup');
  if (alone !== undefined && !activities && declarations.some(({ on }) => on !== alone.on)) {
    report(`${names.join(' and ')} cannot share a method: @${alone.decorator}() shares no progress with others`);
  }
}

function compileActivities(method: DiscoveredMethod, report: Report): ActivityDefinition[] {
  const probes = method.declarations.filter(({ on }) => on === 'probe');
  if (probes.length > 0) {
    const probe = compileProbe(probes, report);
    return [{ id: idOf(method, probes, report), origin: originOf(method), on: 'probe', policy: {}, probe }];
  }
  const declared = method.declarations.filter(({ on }) => on === 'startup' || on === 'cleanup');
  const [first] = declared;
  if (first === undefined) return [];
  const { errors: _errors, abortOnChange: _abort, result: _result, ...policy } = compilePolicy(declared, report);
  const kinds = new Set(declared.map(({ on }) => on as 'startup' | 'cleanup'));
  return [...kinds].map((on) => ({ id: idOf(method, declared, report), origin: originOf(method), on, policy }));
}

function compileHandler(method: DiscoveredMethod, report: Report): HandlerDefinition | undefined {
  const { declarations } = method;
  const resource = resourceOf(method, report);
  const triggers = declarations
    .map((declaration) => compileTrigger(declaration, resource, method.methodName, report))
    .filter((trigger): trigger is Trigger => trigger !== undefined);
  const policy = compilePolicy(declarations, report);
  const id = idOf(method, declarations, report);
  const formerIds = formerIdsOf(declarations, report);
  const param = declarations.map(({ options }) => options['param']).find((given) => given !== undefined);
  if (resource === undefined) return undefined;
  return {
    id,
    ...(formerIds.length === 0 ? {} : { formerIds }),
    origin: originOf(method),
    ...(param === undefined ? {} : { param }),
    ...(method.classStore === undefined ? {} : { store: method.classStore as string }),
    resource,
    triggers,
    policy,
  };
}

function resourceOf({ classResource, declarations }: DiscoveredMethod, report: Report): ResourceSelector | undefined {
  const found: ResourceSelector[] = [];
  for (const { decorator, options } of declarations) {
    const reference = options['resource'] ?? classResource;
    if (reference === undefined) {
      report(`@${decorator}() has no resource: give it one, or put @ResourceHandlers() on the class`);
      return undefined;
    }
    const selector = trySelector(reference, (problem) => report(`@${decorator}(): ${problem}`));
    if (selector === undefined) return undefined;
    found.push(selector);
  }
  const [first] = found;
  const other = found.find((selector) => first !== undefined && !isSame(selector, first));
  if (first !== undefined && other !== undefined) {
    report(
      `its decorators name the resources ${selectorName(first)} and ${selectorName(other)}, but one method is one ` +
        'handler of one resource; give each its own method',
    );
    return undefined;
  }
  return first;
}

function trySelector(reference: unknown, report: Report): ResourceSelector | undefined {
  try {
    return toSelector(reference);
  } catch (error) {
    if (!(error instanceof InvalidResourceError)) throw error;
    report(error.message);
    return undefined;
  }
}

function formerIdsOf(declarations: readonly HandlerDeclaration[], report: Report): readonly string[] {
  const given = declarations.map(({ options }) => options['formerIds'] ?? []);
  if (given.every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'))) {
    return [...new Set((given as string[][]).flat())];
  }
  report('option "formerIds" is not a list of texts');
  return [];
}

/** Longer than any name that somebody would give; they share the record of one object. */
const longestId = 1024;

function idOf(method: DiscoveredMethod, declarations: readonly HandlerDeclaration[], report: Report): string {
  const given = [...new Set(declarations.map(({ options }) => options['id']).filter((id) => id !== undefined))];
  if (given.length > 1) report(`stacked decorators give the ids ${given.map(String).join(', ')}, but are one handler`);
  const id = given[0] ?? method.methodName;
  if (typeof id === 'string' && id.trim() !== '' && id.length <= longestId) return id;
  report(`its id ${JSON.stringify(id)?.slice(0, 80)} is not a text of 1 to ${longestId} characters`);
  return method.methodName;
}

/** A resource has one store: handlers share a record. */
function reportStores(handlers: readonly HandlerDefinition[], known: readonly string[], problems: string[]): void {
  handlers.forEach((handler, index) => {
    const { store, origin, resource } = handler;
    if (store === undefined) return;
    if (!known.includes(store)) {
      const choices = known.map((name) => JSON.stringify(name)).join(', ');
      problems.push(`${origin}: its class names the record store ${JSON.stringify(store)}; there are ${choices}`);
      return;
    }
    const other = handlers
      .slice(0, index)
      .find(
        (earlier) => earlier.store !== undefined && earlier.store !== store && mayBeSame(earlier.resource, resource),
      );
    if (other === undefined) return;
    problems.push(
      `${other.origin} and ${origin} keep records of ${selectorName(resource)} in "${other.store}" and "${store}"; ` +
        'give their classes the same store',
    );
  });
}

function reportDuplicates(
  handlers: readonly HandlerDefinition[],
  activities: readonly ActivityDefinition[],
  methods: HandlerRegistry['methods'],
  problems: string[],
): void {
  const where = (definition: HandlerDefinition | ActivityDefinition): string => {
    const host = methods.get(definition)?.host.metatype?.name;
    return host === undefined ? definition.origin : `${definition.origin} (of ${host})`;
  };
  const reported = (id: string, of: string, one: HandlerDefinition | ActivityDefinition, two: typeof one): void =>
    void problems.push(`${where(one)} and ${where(two)} have the same id "${id}" ${of}; give one of them another id`);
  handlers.forEach((handler, index) => {
    const twin = handlers
      .slice(0, index)
      .find((other) => other.id === handler.id && mayBeSame(other.resource, handler.resource));
    if (twin !== undefined) reported(handler.id, `for ${selectorName(handler.resource)}`, twin, handler);
    const rival = handlers.slice(0, index).find((other) => isInTwoVersions(other.resource, handler.resource));
    if (rival === undefined) return;
    problems.push(
      `${where(rival)} and ${where(handler)} name ${selectorName(rival.resource)} and ${selectorName(handler.resource)}, ` +
        'two versions of one resource; an operator serves it in one version: name the same',
    );
  });
  activities.forEach((activity, index) => {
    const twin = activities.slice(0, index).find((other) => other.id === activity.id && other.on === activity.on);
    if (twin !== undefined)
      reported(activity.id, `among the ${activity.on === 'probe' ? 'probes' : `${activity.on} steps`}`, twin, activity);
  });
}
