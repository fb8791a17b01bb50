/**
 * Runs the cleanup after the work, whether or not the work succeeds. If both fail, throws the error of the work,
 * because the cleanup usually fails as a consequence, for example on a broken connection.
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
