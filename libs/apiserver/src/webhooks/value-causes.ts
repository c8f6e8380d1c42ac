import type { StatusCause } from '../status.js';

export const requiredValue = (field: string, why = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: why === '' ? 'Required value' : `Required value: ${why}`,
  field,
});

export const duplicate = (field: string, value: unknown): StatusCause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${JSON.stringify(value)}`,
  field,
});

/** A value that is none of those that are known. */
export function unsupported(value: unknown, known: readonly string[], field: string): StatusCause[] {
  if (typeof value === 'string' && known.includes(value)) return [];
  const shown = known.map((text) => JSON.stringify(text)).join(', ');
  return [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${shown}`,
      field,
    },
  ];
}
