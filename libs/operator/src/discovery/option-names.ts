import type { DeclarationKind, HandlerDeclaration } from '../decorators/handler-declaration.js';

const common = ['resource', 'id', 'formerIds', 'param', 'labels', 'annotations', 'when'];
const retry = ['retries', 'timeout', 'giveUpAfter', 'backoff', 'asHandlerError'];
const outcome = [...retry, 'errors', 'abortOnChange', 'result'];
const value = ['field', 'value'];
const change = [...value, 'old', 'new'];

const known: Readonly<Record<DeclarationKind, readonly string[]>> = {
  create: [...common, ...outcome, ...value],
  update: [...common, ...outcome, ...change],
  field: [...common, ...outcome, ...change],
  delete: [...common, ...outcome, ...value, 'optional', 'onGiveUp'],
  resume: [...common, ...outcome, ...value, 'deleted'],
  event: [...common, ...value, 'asHandlerError', 'timeout'],
  reconcile: [...common, ...value, 'asHandlerError', 'timeout', 'backoff', 'finalizer', 'owns', 'watches'],
  timer: [
    ...common,
    ...retry,
    'errors',
    'result',
    ...value,
    'interval',
    'sharp',
    'idle',
    'initialDelay',
    'jitter',
    'finalizer',
  ],
  daemon: [
    ...common,
    ...retry,
    'errors',
    'result',
    ...value,
    'initialDelay',
    'jitter',
    'restart',
    'cancellationBackoff',
    'cancellationTimeout',
    'cancellationPolling',
    'finalizer',
  ],
  index: [...common, ...retry, 'errors', ...value, 'index'],
  startup: ['id', ...retry],
  cleanup: ['id', ...retry],
  probe: ['id', 'fails', 'timeout', 'maxAge'],
};

/** Options that the decorator does not have: typing errors in plain JavaScript, or behind a cast. */
export function unknownOptions(declaration: HandlerDeclaration): readonly string[] {
  const names = known[declaration.on];
  return Object.keys(declaration.options)
    .filter((name) => !names.includes(name) && declaration.options[name] !== undefined)
    .map((name) => `@${declaration.decorator}() has no option "${name}"; it has ${names.join(', ')}`);
}
