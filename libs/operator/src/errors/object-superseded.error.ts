import { OperatorError } from './operator.error.js';

/** The reason of a handler's abort signal when its object is being deleted, is gone, or changed with `abortOnChange`. */
export class ObjectSupersededError extends OperatorError {
  readonly code = 'OPERATOR_OBJECT_SUPERSEDED';

  constructor(readonly because: 'deleting' | 'gone' | 'changed') {
    super(
      because === 'deleting'
        ? 'The object is being deleted; its delete handlers run once this call has ended.'
        : because === 'gone'
          ? 'The object is gone.'
          : 'What this handler watches has changed; it is called again with the new state.',
    );
  }
}
