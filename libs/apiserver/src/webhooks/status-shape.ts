import type { GoMember, GoStruct } from './go-shape.js';

const text: GoMember = { type: 'string', json: 'string' };
const number: GoMember = { type: 'int32', json: 'number' };

const cause: GoStruct = {
  name: 'StatusCause',
  members: { reason: { type: 'v1.CauseType', json: 'string' }, message: text, field: text },
};

const details: GoStruct = {
  name: 'StatusDetails',
  members: {
    name: text,
    group: text,
    kind: text,
    uid: { type: 'types.UID', json: 'string' },
    retryAfterSeconds: number,
    causes: { type: '[]v1.StatusCause', items: { type: 'v1.StatusCause', struct: cause } },
  },
};

/** A Status within the answer of a webhook, as Go knows it. */
export const status: GoStruct = {
  name: 'Status',
  members: {
    status: text,
    message: text,
    reason: { type: 'v1.StatusReason', json: 'string' },
    code: number,
    details: { type: 'v1.StatusDetails', struct: details },
  },
};
