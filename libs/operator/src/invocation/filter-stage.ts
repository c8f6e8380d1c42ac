import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { isObservable, lastValueFrom } from 'rxjs';
import { FatalError } from '../errors/fatal.error.js';
import { HandlerTimeoutError } from '../errors/handler-timeout.error.js';
import { ObjectSupersededError } from '../errors/object-superseded.error.js';
import { OperatorStoppingError } from '../errors/operator-stopping.error.js';
import { ParameterUnavailableError } from '../errors/parameter-unavailable.error.js';
import { PermanentError } from '../errors/permanent.error.js';
import { TemporaryError } from '../errors/temporary.error.js';
import { OPERATOR_CONTEXT_TYPE } from '../operator.constants.js';

/** The exception filters of one handler, nearest first; one that catches nothing, or nothing of its kind, has no answer. */
export interface HandlerFilters {
  invokeCustomFilters(error: unknown, host: ExecutionContextHost): unknown;
}

/** The call whose error is to be filtered. */
export interface FilteredCall {
  readonly context: { readonly signal: AbortSignal };
  readonly instance: object;
  readonly callback: (...args: never[]) => unknown;
  readonly asHandlerError: ((error: unknown) => unknown) | undefined;
}

/** Errors of the framework: what they say must reach it. */
const neverFiltered = [
  FatalError,
  HandlerTimeoutError,
  ObjectSupersededError,
  OperatorStoppingError,
  ParameterUnavailableError,
] as const;

/** What a filter throws on purpose, and what needs no trace of what it stands for. */
const outcomes = [FatalError, PermanentError, TemporaryError] as const;

/**
 * The second stage of a call that failed: the nearest exception filter that catches the error. What it returns is the
 * result of the handler; where it returns nothing, the error goes on; what it throws takes the error's place.
 *
 * Not asked about fatal errors and the framework's own, nor once the call was told to end.
 */
export async function filterError(error: unknown, filters: HandlerFilters, call: FilteredCall): Promise<unknown> {
  if (call.context.signal.aborted || isOneOf(neverFiltered, error) || becomesFatal(error, call)) throw error;
  const host = new ExecutionContextHost([call.context], call.instance.constructor as never, call.callback);
  host.setType(OPERATOR_CONTEXT_TYPE);
  let answer: unknown;
  try {
    answer = await settled(filters.invokeCustomFilters(error, host));
  } catch (thrown) {
    throw keepBoth(error, thrown);
  }
  if (answer === undefined || answer === null) throw error;
  return answer;
}

/** A filter that catches everything must not come before what the handler's own mapping takes for the end. */
function becomesFatal(error: unknown, { asHandlerError }: FilteredCall): boolean {
  if (asHandlerError === undefined) return false;
  try {
    return asHandlerError(error) instanceof FatalError;
  } catch {
    // The mapping is asked again for the outcome, where its failure is told.
    return false;
  }
}

async function settled(answer: unknown): Promise<unknown> {
  const value = await answer;
  return isObservable(value) ? lastValueFrom(value, { defaultValue: undefined }) : value;
}

/** A filter that fails, such as one written for HTTP, must not hide what the handler failed with. */
function keepBoth(error: unknown, thrown: unknown): unknown {
  if (thrown === error || isOneOf(outcomes, thrown) || leadsTo(thrown, error)) return thrown;
  return new AggregateError([error, thrown], 'The handler failed, and so did its exception filter.');
}

function leadsTo(thrown: unknown, error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let link = thrown; link instanceof Error && !seen.has(link); link = link.cause) {
    if (link.cause === error) return true;
    seen.add(link);
  }
  return false;
}

function isOneOf(types: ReadonlyArray<abstract new (...args: never[]) => Error>, error: unknown): boolean {
  return types.some((type) => error instanceof type);
}
