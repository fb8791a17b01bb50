import { QueryClient } from '@tanstack/react-query';
import { RequestError, Unreachable } from '../lib/api/api-error.ts';
import { waitBeforeRetry } from '../lib/api/wait-before-retry.ts';

/** The maximum number of retries after transient error responses. */
const MAX_RETRIES = 4;

/** Creates a client that only retries requests while the service is unreachable or returns transient errors. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // The service can be on a local network, so the browser's online status does not matter.
        networkMode: 'always',
        retry: (failures, error) =>
          error instanceof Unreachable ||
          (error instanceof RequestError && error.isTransient && failures < MAX_RETRIES),
        retryDelay: waitBeforeRetry,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
