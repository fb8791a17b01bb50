import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../lib/api/api-error.ts';

/** What comes along with scans. */
export type ScanIncludes = ('provider' | 'ingestion')[];

const MAY_SEE_JOBS = ['scans', 'may-see-jobs'] as const;

/**
 * Asks with the jobs of the scans, or, where the key or the subscription does not allow that (403, 402), without them.
 * A refusal is remembered for as long as the console is open, since lists ask again and again.
 */
export async function withJobs<Answer>(
  client: QueryClient,
  ask: (include: ScanIncludes) => Promise<Answer>,
): Promise<Answer> {
  if (client.getQueryData<boolean>(MAY_SEE_JOBS) !== false) {
    try {
      return await ask(['provider', 'ingestion']);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 402)) throw error;
      client.setQueryDefaults(MAY_SEE_JOBS, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(MAY_SEE_JOBS, false);
    }
  }
  return await ask(['provider']);
}
