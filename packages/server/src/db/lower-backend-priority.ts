import type pg from 'pg';
import { lowerProcessPriority } from '../thread-priority.ts';

/** What answers requests should not wait for what this connection does; for a PostgreSQL on this machine. */
export async function lowerBackendPriority(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const { pid } of rows) lowerProcessPriority(pid);
}
