/** What an expression that cannot be evaluated evaluates to. Failures are values, since `||` and `&&` may outvote them. */
export class Failure {
  constructor(readonly message: string) {}
}

export const noSuchOverload = (name?: string): Failure =>
  new Failure(name === undefined ? 'no such overload' : `no such overload: ${name}`);

export const noSuchKey = (key: string): Failure => new Failure(`no such key: ${key}`);

export const overflow = (what: 'integer' | 'unsigned integer' | 'timestamp' | 'duration'): Failure =>
  new Failure(`${what} overflow`);
