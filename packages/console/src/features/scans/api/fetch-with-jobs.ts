import type { QueryClient } from '@tanstack/react-query';
import { withPermissionFallback } from '../../../lib/api/permission-fallback.ts';

/** The related resources to include. */
type ScanIncludes = ('provider' | 'ingestion')[];

/** Fetches scans with their jobs, or without them if the key can't read jobs. */
export function fetchWithJobs<Result>(
  client: QueryClient,
  request: (include: ScanIncludes) => Promise<Result>,
): Promise<Result> {
  return withPermissionFallback(client, 'jobs', (isFull) =>
    request(isFull ? ['provider', 'ingestion'] : ['provider']),
  );
}
