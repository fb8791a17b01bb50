import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/**
 * Asks for all that is wanted, or, where the key or the subscription does not allow that, for less. The
 * refusal of `what` is remembered for as long as somebody is signed in, since lists ask again and again.
 */
export async function withPermissionFallback<Result>(
  client: QueryClient,
  what: string,
  ask: (all: boolean) => Promise<Result>,
): Promise<Result> {
  const queryKey = ['refused', what];
  if (client.getQueryData<boolean>(queryKey) !== true) {
    try {
      return await ask(true);
    } catch (error) {
      if (!(error instanceof ApiError && error.isAccessDenied)) throw error;
      // The whole may be refused, too: then that is what to say.
      const less = await ask(false);
      client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(queryKey, true);
      return less;
    }
  }
  return await ask(false);
}
