import type pg from 'pg';
import { lowerProcessPriority } from '../lib/thread-priority.ts';

/** Gives requests priority over the statements of this connection. PostgreSQL must run on the same machine. */
export async function lowerBackendPriority(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  for (const { pid } of rows) lowerProcessPriority(pid);
}
