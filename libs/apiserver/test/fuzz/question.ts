/** One request of a fuzz run. */
export interface Question {
  /** What it is about; names the generator that made it. */
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A question with a body, whose length the headers tell. */
export function questionOf(
  area: string,
  method: string,
  path: string,
  body?: string | Buffer,
  contentType = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Question {
  return {
    area,
    method,
    path,
    body,
    headers: {
      ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  };
}

/** A question as a failed test shows it. */
export const shown = ({ body, ...rest }: Question): string =>
  JSON.stringify({
    ...rest,
    ...(body === undefined
      ? {}
      : typeof body === 'string'
        ? { body: body.length > 3_000 ? `${body.slice(0, 3_000)} ... (${body.length})` : body }
        : { base64: body.toString('base64').slice(0, 3_000) }),
  });
