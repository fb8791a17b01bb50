import { SCHEMA } from './connect.ts';
import type { Queryable } from './transaction.ts';

/** The tenants whose findings are being backfilled (retention/backfill-findings.ts). */
export interface BackfillProgress {
  readonly tenants: number;
  /** Estimate for all of these tenants together. */
  readonly percent: number;
}

/** Returns the tenants that have findings from before the migration that added keys to findings. */
export async function findTenantsToBackfill(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select tenant_id as id from finding_backfills order by tenant_id',
  );
  return rows.map(({ id }) => id);
}

/** Reads the progress in any schema. Returns `undefined` if there is nothing to backfill. */
export async function readBackfillProgress(client: Queryable): Promise<BackfillProgress | undefined> {
  const { rows: tables } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = '${SCHEMA}' and c.relname = 'finding_backfills'`,
  );
  if (tables.length === 0) return undefined;
  const { rows } = await client.query<{ afterId: string | null }>(
    `select after_id as "afterId" from ${SCHEMA}.finding_backfills`,
  );
  if (rows.length === 0) return undefined;
  const positions = rows.map(({ afterId }) => (afterId === null ? 0 : positionOf(afterId)));
  const sum = positions.reduce((total, position) => total + position, 0);
  return { tenants: rows.length, percent: Math.floor((sum / rows.length) * 100) };
}

/** The proportion of findings up to this id, between 0 and 1. Their ids are hashes, so they are evenly distributed. */
export function positionOf(findingId: string): number {
  return Number.parseInt(findingId.slice(0, 8), 16) / 2 ** 32;
}
