import { arrayLiteral } from '../../db/array-literal.ts';
import { onlyRow } from '../../db/only-row.ts';
import { inTransaction, type Queryable } from '../../db/transaction.ts';

/** A known row with a new time. */
interface SeenRow {
  /** The value of the column by which the row is looked up (`UPDATES`). */
  readonly row: number | string;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** `xmin` of the known row; null if the row is not known to have the same content. */
  readonly version: string | null;
}

/**
 * Other workers and releases may have changed a row, even without a later time. Looks rows up by the column of the newest
 * index, which PostgreSQL prefers as long as its statistics are outdated. The arrays are in subqueries so that it looks
 * up each row (see `UPDATE` in create-resources.ts). If an update sets none of the columns from which others are
 * generated, PostgreSQL 18 parses the expressions again for each row, which takes longer than the rest of the update, so
 * resources set one to its own value.
 */
const updateSql = (table: string, [column, type]: readonly [string, string], unchanged: string) => `
  with known as materialized (
    select r.${column}, w.seen_at
    from unnest((select $2::${type}[]), (select $3::timestamptz[]), (select $4::xid[])) as w (${column}, seen_at, version)
    cross join lateral (
      select ${column} from ${table} r
      where r.tenant_id = $1 and r.${column} = w.${column} and r.xmin = w.version offset 0 for no key update
    ) as r
  ), updated as (
    update ${table} r set seen_at = known.seen_at${unchanged} from known
    where r.tenant_id = $1 and r.${column} = known.${column} returning r.key, r.xmin
  )
  select string_agg(key::text, ',') as keys, (array_agg(xmin))[1]::text as version from updated`;

const UPDATES = {
  checks: updateSql('checks', ['key', 'bigint'], ''),
  resources: updateSql('resources', ['id', 'uuid'], ', uid_pattern = r.uid_pattern'),
} as const;

/**
 * Writes the times of rows that still have their known versions, in a separate short transaction. Returns the new
 * version of each updated row by its key. The rows must be ordered by id, so that two transactions never deadlock.
 */
export async function updateSeenAt(
  client: Queryable,
  tenantId: string,
  table: keyof typeof UPDATES,
  rows: readonly SeenRow[],
): Promise<ReadonlyMap<number, string | null>> {
  const known = rows.filter(({ version }) => version !== null);
  if (known.length === 0) return new Map();
  const result = await inTransaction(client, tenantId, () =>
    client.query<{ keys: string | null; version: string | null }>(UPDATES[table], [
      tenantId,
      arrayLiteral(known.map(({ row }) => row)),
      arrayLiteral(known.map(({ time }) => new Date(time).toISOString())),
      arrayLiteral(known.map(({ version }) => version)),
    ]),
  );
  const { keys, version } = onlyRow(result);
  return new Map(keys?.split(',').map((key) => [Number(key), version]));
}
