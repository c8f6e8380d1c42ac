import type { RequestMoment, RequestRecord } from '../request-log.js';

/** What the command prints of a request, if anything: method, path, status, time, account. */
export function requestLine(record: RequestRecord, moment: RequestMoment, verbose: boolean): string | undefined {
  const watch = record.verb === 'watch' && record.status === 200;
  // A watch is told of when it begins; its end says little.
  if (watch ? moment === 'ended' && !verbose : moment === 'answered') return undefined;
  const over = watch && moment === 'ended';
  const time = new Date(record.at + (record.duration ?? 0)).toISOString().slice(11, 23);
  const method = (over ? 'END' : watch ? 'WATCH' : record.method).padEnd(6);
  const status = record.status === undefined ? '---' : String(record.status);
  const query = verbose ? queryOf(record) : '';
  const more = verbose && record.userAgent !== undefined ? ` (${printable(record.userAgent)})` : '';
  const effort = (over ? `${record.bytes} B` : `${(record.duration ?? 0).toFixed(1)} ms`).padStart(10);
  return `${time} ${method} ${status} ${effort}  ${printable(record.path)}${query}  ${record.user ?? '-'}${more}`;
}

function queryOf({ query }: RequestRecord): string {
  const text = query.toString();
  return text === '' ? '' : `?${printable(text)}`;
}

/** Text of a client's must not move the cursor or the colours of a terminal. */
const printable = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?').slice(0, 500);
