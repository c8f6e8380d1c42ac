/** One request of a fuzz run. */
export interface Question {
  /** What it is about; names the generator that made it. */
  readonly area: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** A question; its body has a media type, and the client says its length. */
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
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...headers,
    },
  };
}

/** The same question about another namespace than `default`. */
export const inNamespace = (question: Question, namespace: string): Question => ({
  ...question,
  path: question.path.replaceAll('/namespaces/default', `/namespaces/${namespace}`),
  body:
    typeof question.body === 'string'
      ? question.body.replaceAll('"namespace":"default"', `"namespace":"${namespace}"`)
      : question.body,
});

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
