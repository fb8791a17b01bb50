/**
 * Runs the cleanup after the work, whether it has succeeded or not. Where both fail, the error of the work is thrown: that of
 * the cleanup is its consequence, as on a connection that has broken.
 */
export async function withCleanup<Result>(
  work: () => Promise<Result>,
  cleanup: () => Promise<unknown>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await Promise.allSettled([cleanup()]);
    throw error;
  }
  await cleanup();
  return result;
}
