/**
 * A moment as a Lease holds it: RFC 3339 in UTC with six digits of a second. The server refuses any other number of them,
 * also the three that JavaScript writes by itself.
 */
export function microTime(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const micros = Math.min(999, Math.floor((milliseconds - whole) * 1_000));
  return new Date(whole).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
