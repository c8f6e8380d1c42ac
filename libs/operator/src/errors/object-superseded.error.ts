import { OperatorError } from './operator.error.js';

export type SupersededBecause = 'deleting' | 'gone' | 'changed' | 'mismatch' | 'paused' | 'replaced';

const reasons: Readonly<Record<SupersededBecause, string>> = {
  deleting: 'The object is being deleted; its delete handlers run once this call has ended.',
  gone: 'The object is gone.',
  changed: 'What this handler watches has changed; it is called again with the new state.',
  mismatch: 'The object does not match the conditions of this handler any more.',
  paused: 'The object is paused by its annotation, or the operator is paused.',
  replaced: 'The resource of the object is served in another way from now on, such as in another version.',
};

/**
 * The reason of a handler's abort signal when its object is being deleted, is gone, changed with `abortOnChange`, or, for
 * timers and daemons, is no longer served or paused.
 */
export class ObjectSupersededError extends OperatorError {
  readonly code = 'OPERATOR_OBJECT_SUPERSEDED';

  constructor(readonly because: SupersededBecause) {
    super(reasons[because]);
  }
}
