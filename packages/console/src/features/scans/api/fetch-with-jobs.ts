import type { QueryClient } from '@tanstack/react-query';
import { withPermissionFallback } from '../../../lib/api/permission-fallback.ts';

/** What comes along with scans. */
type ScanIncludes = ('provider' | 'ingestion')[];

/** Asks with the jobs of the scans, or without them where they may not be seen. */
export function fetchWithJobs<Result>(
  client: QueryClient,
  ask: (include: ScanIncludes) => Promise<Result>,
): Promise<Result> {
  return withPermissionFallback(client, 'jobs', (all) => ask(all ? ['provider', 'ingestion'] : ['provider']));
}
