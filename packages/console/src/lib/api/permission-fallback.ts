import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/**
 * Runs the full request, or a reduced request if the key or the subscription does not allow the full one. Remembers
 * that `feature` is denied until the user signs out, because lists are refetched repeatedly.
 */
export async function withPermissionFallback<Result>(
  client: QueryClient,
  feature: string,
  request: (isFull: boolean) => Promise<Result>,
): Promise<Result> {
  const queryKey = ['denied', feature];
  if (client.getQueryData<boolean>(queryKey) !== true) {
    try {
      return await request(true);
    } catch (error) {
      if (!(error instanceof ApiError && error.isAccessDenied)) throw error;
      // If the reduced request is denied as well, report that error instead.
      const reduced = await request(false);
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(queryKey, true);
      return reduced;
    }
  }
  return await request(false);
}
