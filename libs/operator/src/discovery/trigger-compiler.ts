import { toFieldPath } from '../decorators/field-path.js';
import type { HandlerDeclaration } from '../decorators/handler-declaration.js';
import {
  ABSENT,
  PRESENT,
  type HandlerFilter,
  type KeyMatch,
  type Trigger,
} from '../engine/handling/handler-definition.js';
import type { ResourceSelector } from '../engine/resource.js';
import { compileDaemon } from './daemon-compiler.js';
import { flag } from './flag.js';
import { compileMappings } from './mapping-compiler.js';
import { oneOf } from './one-of.js';
import { compileTimerSchedule } from './timer-compiler.js';

type Report = (problem: string) => void;

/** The trigger of a handler decorator; problems go to `report`. */
export function compileTrigger(
  declaration: HandlerDeclaration,
  resource: ResourceSelector | undefined,
  methodName: string,
  report: Report,
): Trigger | undefined {
  const { options } = declaration;
  const say: Report = (problem) => report(`@${declaration.decorator}(): ${problem}`);
  const filter = compileFilter(declaration, resource, say);
  switch (declaration.on) {
    case 'create':
    case 'update':
    case 'event':
      return { on: declaration.on, filter };
    case 'field':
      if (options['field'] === undefined) say('option "field" is missing: it says which part is watched');
      return { on: 'field', filter };
    case 'delete': {
      const optional = flag(options, 'optional', say);
      const onGiveUp = oneOf(options, 'onGiveUp', ['release', 'hold'], say);
      if (optional && onGiveUp === 'hold') {
        say('"optional" asks for no finalizer, so there is nothing that onGiveUp: "hold" could hold');
      }
      return { on: 'delete', filter, optional, onGiveUp };
    }
    case 'resume':
      return { on: 'resume', filter, deleted: flag(options, 'deleted', say) };
    case 'reconcile':
      return {
        on: 'reconcile',
        filter,
        finalizer: flag(options, 'finalizer', say),
        mapped: compileMappings(options, say),
      };
    case 'timer': {
      const schedule = compileTimerSchedule(options, say);
      return { on: 'timer', filter, schedule, finalizer: flag(options, 'finalizer', say) };
    }
    case 'daemon':
      return { on: 'daemon', filter, ...compileDaemon(options, say) };
    case 'index':
      return { on: 'index', filter, index: indexName(options['index'] ?? options['id'] ?? methodName, say) };
    case 'startup':
    case 'cleanup':
    case 'probe':
      return undefined;
  }
}

function indexName(name: unknown, say: Report): string {
  if (typeof name === 'string' && name !== '') return name;
  say('the name of its index is no text');
  return '';
}

function compileFilter(
  { options }: HandlerDeclaration,
  resource: ResourceSelector | undefined,
  say: Report,
): HandlerFilter {
  const { labels, annotations, when } = options;
  if (when !== undefined && typeof when !== 'function') say('option "when" is not a function');
  const path = toFieldPath(options['field']);
  if (options['field'] !== undefined && path === undefined) {
    say('option "field" is neither a dotted path such as "spec.size" nor a list of keys');
  }
  for (const name of ['value', 'old', 'new']) {
    if (options[name] !== undefined && options['field'] === undefined) say(`option "${name}" needs "field"`);
  }
  if (options['value'] !== undefined && (options['old'] !== undefined || options['new'] !== undefined)) {
    say('options "value" and "old" or "new" contradict each other: "value" matches either side of a change');
  }
  if (options['old'] !== undefined && resource !== undefined && keepsDigestsOnly(resource)) {
    say('option "old" cannot work for Secrets: only digests of handled states are kept of them');
  }
  return {
    ...keyMatches('labels', labels, say),
    ...keyMatches('annotations', annotations, say),
    ...(typeof when === 'function' ? { when: when as NonNullable<HandlerFilter['when']> } : {}),
    ...(path === undefined ? {} : { field: path }),
    ...given(options, 'value'),
    ...given(options, 'old'),
    ...given(options, 'new'),
  };
}

/** States of Secrets are never kept in clear. */
function keepsDigestsOnly({ plural, name, kind, singular, group }: ResourceSelector): boolean {
  const names = [plural, name, kind, singular];
  return ['secrets', 'secret', 'Secret'].some((one) => names.includes(one)) && (group === undefined || group === '');
}

function given(options: HandlerDeclaration['options'], name: 'value' | 'old' | 'new'): Partial<HandlerFilter> {
  return options[name] === undefined ? {} : { [name]: options[name] };
}

function keyMatches(name: 'labels' | 'annotations', value: unknown, say: Report): Partial<HandlerFilter> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    say(`option "${name}" is not an object of keys and what they must match`);
    return {};
  }
  const entries = value as Readonly<Record<string, KeyMatch>>;
  for (const [key, match] of Object.entries(entries)) {
    const valid = typeof match === 'string' || typeof match === 'function' || match === PRESENT || match === ABSENT;
    if (!valid) say(`option "${name}": ${JSON.stringify(key)} must match a text, PRESENT, ABSENT or a function`);
  }
  return { [name]: { ...entries } };
}
