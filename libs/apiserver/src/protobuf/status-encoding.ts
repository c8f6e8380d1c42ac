import type { Status, StatusDetails } from '../status.js';

/**
 * A Status in protobuf, for clients that accept nothing else: the one thing that they are told here, and it tells them
 * why.
 */
export function encodeStatus({ metadata, status, message = '', reason = '', details, code = 0 }: Status): Buffer {
  const list = [text(1, ''), text(2, ''), text(3, metadata.continue ?? '')];
  const content = [
    field(1, list),
    text(2, status),
    text(3, message),
    text(4, reason),
    ...(details === undefined ? [] : [field(5, detailsIn(details))]),
    number(6, code),
  ];
  const envelope = [field(1, [text(1, 'v1'), text(2, 'Status')]), field(2, content), text(3, ''), text(4, '')];
  return Buffer.concat([Buffer.from('k8s\0'), ...envelope]);
}

function detailsIn({
  name = '',
  group = '',
  kind = '',
  uid = '',
  causes = [],
  retryAfterSeconds = 0,
}: StatusDetails): Buffer[] {
  return [
    text(1, name),
    text(2, group),
    text(3, kind),
    ...causes.map((cause) =>
      field(4, [text(1, cause.reason ?? ''), text(2, cause.message ?? ''), text(3, cause.field ?? '')]),
    ),
    number(5, retryAfterSeconds),
    text(6, uid),
  ];
}

const text = (index: number, value: string): Buffer => field(index, [Buffer.from(value)]);

function field(index: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([varint((index << 3) | 2), varint(content.length), content]);
}

const number = (index: number, value: number): Buffer => Buffer.concat([varint(index << 3), varint(value)]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}
