import { OperatorError } from './operator.error.js';

/** A record store of the application failed, or did not answer in time. The object that it was asked for is throttled. */
export class RecordStoreError extends OperatorError {
  readonly code = 'OPERATOR_RECORD_STORE';
  readonly operation: 'load' | 'save' | 'remove' | 'list';

  /** @param of - key and resource of the object, or the resource */
  constructor(operation: 'load' | 'save' | 'remove' | 'list', of: string, options: { readonly cause: unknown }) {
    super(
      `The record store could not ${operation} ${operation === 'list' ? 'the records' : 'the record'} of ${of}. ` +
        'It is asked again; see the cause.',
      options,
    );
    this.operation = operation;
  }
}
