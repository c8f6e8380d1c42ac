/**
 * Resolves or rejects like `work`, or rejects with `late()` once `limit` real milliseconds have passed. The work is left
 * behind then; what it ends with is nobody's business any more.
 */
export async function within<T>(limit: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limit);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
