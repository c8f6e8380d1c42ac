/** Runs `work` in the context that an observer makes for it. It runs once, whatever the observer does. */
export function runWithin<Fact, Result>(
  within: ((fact: Fact, work: () => void) => void) | undefined,
  fact: NoInfer<Fact>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (within === undefined) return work();
  let running: Promise<Result> | undefined;
  within(fact, () => {
    running ??= work();
  });
  return running ?? work();
}
