import { QueryClient } from '@tanstack/react-query';
import { RequestError, Unreachable } from '../lib/api/api-error.ts';
import { waitBeforeRetry } from '../lib/api/wait-before-retry.ts';

/** Tries of a request that the service has refused for the moment. */
const TRIES = 4;

/** Requests are repeated while the service is away, and after the time that it asks to wait; nothing else is repeated. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The service may well be reached without an internet.
        networkMode: 'always',
        retry: (failures, error) =>
          error instanceof Unreachable ||
          (error instanceof RequestError && error.isTransient && failures < TRIES),
        retryDelay: waitBeforeRetry,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
