import type { FieldPath } from '../json/field-path.js';
import type { StoredObject } from '../kube-object.js';
import type { HandledState } from '../persistence/handled-state.js';
import type { Attempt, ChangeCause, HandlerProgress } from '../persistence/object-record.js';
import type { Essence } from '../processing/essence.js';
import { matchesChange, matchesObject, matchesValue } from './filter-match.js';
import type { FilterContext, HandlerCause } from './handler-context.js';
import type { Trigger } from './handler-definition.js';
import type { ResourceHandler } from './resource-handler.js';
import { isSeenAt, type UnwrittenCall } from './unwritten-call.js';

/** A call of a change handler that is due, or will be. */
export interface ChangeDecision {
  readonly cause: ChangeCause;
  readonly trigger: Trigger;
  /** The field that old, new and diff are reduced to. */
  readonly field: FieldPath | undefined;
  /** What it handled last; absent on creation and resumption. */
  readonly handled: HandledState | undefined;
  /** The attempt that this one continues; absent when it is the first for this difference. */
  readonly attempt: Attempt | undefined;
  /** When to call, milliseconds since 1970; not above now: at once. */
  readonly at: number;
}

/** What a decision rests on, besides the handler and its progress. */
export interface DecisionView {
  readonly object: StoredObject;
  readonly essence: Essence;
  /** The handler's last call, while the object lacks what it changes. */
  readonly unwritten: UnwrittenCall | undefined;
  readonly ownsFinalizer: boolean;
  /** The handler still has to be resumed in this process. */
  readonly resumeOpen: boolean;
  readonly resumeAttempt: Attempt | undefined;
  readonly now: number;
  /** Somebody asked for a cycle: failed attempts do not wait for their time. */
  readonly retryNow: boolean;
  /** The base delay: a failing handler is not called for new differences more often. */
  readonly baseDelay: number;
  readonly context: (cause: HandlerCause, handled?: HandledState, field?: FieldPath) => FilterContext;
}

/** Why a change handler is to be called now or later: the first rule that matches; none when nothing is to do. */
export function decideChange(
  handler: ResourceHandler,
  progress: HandlerProgress,
  view: DecisionView,
): ChangeDecision | undefined {
  if (view.object.metadata.deletionTimestamp !== undefined) {
    return decideDeletion(handler, progress, view) ?? decideResume(handler, view, true);
  }
  return (
    decideCreation(handler, progress, view) ??
    decideUpdate(handler, progress, view) ??
    decideResume(handler, view, false)
  );
}

/**
 * The state that a handler takes as handled without a call, if it is at its first sight of the object and has nothing
 * to do for a creation.
 */
export function settlesFirstSight(handler: ResourceHandler, progress: HandlerProgress, view: DecisionView): boolean {
  if (!handler.tracksState || progress.handled !== undefined || !progress.creationOpen) return false;
  if (view.object.metadata.deletionTimestamp !== undefined) return false;
  const context = view.context('update');
  return handler.updating.some((trigger) => matchesObject(trigger.filter, context));
}

function decideDeletion(
  handler: ResourceHandler,
  progress: HandlerProgress,
  view: DecisionView,
): ChangeDecision | undefined {
  if (!view.ownsFinalizer || progress.deletionDone) return undefined;
  const trigger = handler.deleting.find(({ filter }) => matchesNow(filter, view, 'delete'));
  if (trigger === undefined) return undefined;
  const attempt = progress.attempt?.cause === 'delete' ? progress.attempt : undefined;
  return {
    cause: 'delete',
    trigger,
    field: undefined,
    handled: progress.handled,
    attempt,
    at: retryTime(attempt, view),
  };
}

function decideCreation(
  handler: ResourceHandler,
  progress: HandlerProgress,
  view: DecisionView,
): ChangeDecision | undefined {
  if (!progress.creationOpen) return undefined;
  const trigger = handler.creating.find(({ filter }) => matchesNow(filter, view, 'create'));
  if (trigger === undefined) return undefined;
  return {
    cause: 'create',
    trigger,
    field: trigger.filter.field,
    handled: undefined,
    ...pace(handler, progress, 'create', view),
  };
}

function decideUpdate(
  handler: ResourceHandler,
  progress: HandlerProgress,
  view: DecisionView,
): ChangeDecision | undefined {
  const { handled } = progress;
  for (const trigger of openChanges(handler, progress, view)) {
    const context = view.context('update', handled, trigger.filter.field);
    if (!admits(trigger, handled, context) || !matchesObject(trigger.filter, context)) continue;
    return {
      cause: 'update',
      trigger,
      field: trigger.filter.field,
      handled,
      ...pace(handler, progress, 'update', view),
    };
  }
  return undefined;
}

/**
 * Whether all that changed for a handler are fields whose own conditions (`old`, `new`, `value`) refuse the change. It
 * then counts as handled, since the next change starts from it. What labels, annotations or `when` hold back stays open.
 */
export function refusesChange(handler: ResourceHandler, progress: HandlerProgress, view: DecisionView): boolean {
  if (view.object.metadata.deletionTimestamp !== undefined) return false;
  const { handled } = progress;
  const changes = openChanges(handler, progress, view);
  return (
    changes.length > 0 &&
    changes.every((trigger) => !admits(trigger, handled, view.context('update', handled, trigger.filter.field)))
  );
}

type UpdateTrigger = ResourceHandler['updating'][number];

/** Triggers whose field is not what the handler handled last, or not what its last failed attempt left behind. */
function openChanges(handler: ResourceHandler, progress: HandlerProgress, view: DecisionView): UpdateTrigger[] {
  const { handled, attempt } = progress;
  if (handled === undefined) return [];
  const states = [handled];
  if (attempt?.cause === 'update' && attempt.saw !== undefined) states.push(attempt.saw);
  const uid = view.object.metadata.uid;
  return handler.updating.filter(({ filter }) =>
    states.some((state) => !isSeenAt(state, view.essence, filter.field ?? [], uid, view.unwritten)),
  );
}

function admits({ filter }: UpdateTrigger, handled: HandledState | undefined, context: FilterContext): boolean {
  return matchesChange(filter, handled?.kind === 'essence', context);
}

function decideResume(handler: ResourceHandler, view: DecisionView, deleting: boolean): ChangeDecision | undefined {
  if (!view.resumeOpen) return undefined;
  const trigger = handler.resuming.find(
    (candidate) => (!deleting || candidate.deleted) && matchesNow(candidate.filter, view, 'resume'),
  );
  if (trigger === undefined) return undefined;
  const attempt = view.resumeAttempt;
  return {
    cause: 'resume',
    trigger,
    field: trigger.filter.field,
    handled: undefined,
    attempt,
    at: retryTime(attempt, view),
  };
}

function matchesNow(filter: Trigger['filter'], view: DecisionView, cause: ChangeCause): boolean {
  const context = view.context(cause, undefined, filter.field);
  return matchesValue(filter, context) && matchesObject(filter, context);
}

/** A retry waits for its time; a difference that the last attempt did not see runs at once, if not within the base delay. */
function pace(
  handler: ResourceHandler,
  progress: HandlerProgress,
  cause: ChangeCause,
  view: DecisionView,
): Pick<ChangeDecision, 'attempt' | 'at'> {
  const attempt = progress.attempt?.cause === cause ? progress.attempt : undefined;
  if (attempt?.saw === undefined) return { attempt, at: retryTime(attempt, view) };
  const { saw } = attempt;
  const uid = view.object.metadata.uid;
  const unchanged = handler.watchedBy(cause).every((path) => isSeenAt(saw, view.essence, path, uid, view.unwritten));
  if (unchanged) return { attempt, at: retryTime(attempt, view) };
  const paced = Math.min(attempt.lastAt, view.now) + view.baseDelay;
  return { attempt: undefined, at: view.retryNow ? view.now : paced };
}

/** Never further away than the wait was meant to be, whatever the system's clock did meanwhile. */
function retryTime(attempt: Attempt | undefined, { now, retryNow }: DecisionView): number {
  return attempt === undefined || retryNow ? now : Math.min(attempt.nextAt, now + (attempt.nextAt - attempt.lastAt));
}
