import type { QueryClient } from '@tanstack/react-query';
import { asAllowed } from '../../../lib/api/as-allowed.ts';

/** What comes along with scans. */
type ScanIncludes = ('provider' | 'ingestion')[];

/** Asks with the jobs of the scans, or without them where they may not be seen. */
export function withJobs<Answer>(
  client: QueryClient,
  ask: (include: ScanIncludes) => Promise<Answer>,
): Promise<Answer> {
  return asAllowed(client, 'jobs', (all) => ask(all ? ['provider', 'ingestion'] : ['provider']));
}
