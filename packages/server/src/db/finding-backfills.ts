import { SCHEMA } from './connect.ts';
import type { Queryable } from './transaction.ts';

/** What workers still have to do after an upgrade (retention/backfill-findings.ts, ingest/worker/reread-frame.ts). */
export interface BackfillProgress {
  /** Tenants whose findings have not all been backfilled. */
  readonly tenants: number;
  /** Estimate for all of these tenants together. */
  readonly percent: number;
  /** Frames of all tenants that have not been read again. */
  readonly frames: number;
}

/** Returns the tenants that have findings from before the migration that added keys to findings. */
export async function findTenantsToBackfill(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select tenant_id as id from finding_backfills order by tenant_id',
  );
  return rows.map(({ id }) => id);
}

/** Works with every schema version. Returns `undefined` if there is nothing to backfill. */
export async function readBackfillProgress(client: Queryable): Promise<BackfillProgress | undefined> {
  const tenants = await rowsOf<{ afterId: string | null }>(
    client,
    'finding_backfills',
    'after_id as "afterId"',
  );
  const [queue] = await rowsOf<{ frames: number }>(client, 'reread_queue', 'count(*)::float8 as frames');
  const frames = queue?.frames ?? 0;
  if (tenants.length === 0 && frames === 0) return undefined;
  const positions = tenants.map(({ afterId }) => (afterId === null ? 0 : positionOf(afterId)));
  const sum = positions.reduce((total, position) => total + position, 0);
  const percent = tenants.length === 0 ? 100 : Math.floor((sum / tenants.length) * 100);
  return { tenants: tenants.length, percent, frames };
}

/** Returns an empty list if there is no such table. */
async function rowsOf<Row extends object>(
  client: Queryable,
  table: string,
  columns: string,
): Promise<readonly Row[]> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = '${SCHEMA}' and c.relname = $1`,
    [table],
  );
  if (rowCount === 0) return [];
  return (await client.query<Row>(`select ${columns} from ${SCHEMA}.${table}`)).rows;
}

/** The proportion of findings up to this id, between 0 and 1. Their ids are hashes, so they are evenly distributed. */
export function positionOf(findingId: string): number {
  return Number.parseInt(findingId.slice(0, 8), 16) / 2 ** 32;
}
