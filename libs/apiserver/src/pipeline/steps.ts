/**
 * Work on a request: runs through at once, except where it yields a promise. What the promise resolves with comes back
 * from the `yield`, and its failure is thrown there.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise within steps. */
export function* wait<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/** Carries out steps: the result itself where nothing was waited for, else a promise of it. */
export function run<T>(steps: Steps<T>): T | Promise<T> {
  const first = steps.next();
  return first.done === true ? first.value : proceed(steps, first.value);
}

async function proceed<T>(steps: Steps<T>, first: Promise<unknown>): Promise<T> {
  let pending = first;
  for (;;) {
    let step: IteratorResult<Promise<unknown>, T>;
    const outcome = await settled(pending);
    if ('error' in outcome) step = steps.throw(outcome.error);
    else step = steps.next(outcome.value);
    if (step.done === true) return step.value;
    pending = step.value;
  }
}

// What the steps themselves throw has to leave by another way than what they wait for.
const settled = (pending: Promise<unknown>): Promise<{ value: unknown } | { error: unknown }> =>
  pending.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
