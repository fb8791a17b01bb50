import { OperatorError } from '../lib/errors.ts';
import { SCHEMA } from './connect.ts';
import { onlyRow } from './only-row.ts';
import type { Queryable } from './transaction.ts';

/** How the tables are distributed with Citus. */
export interface Distribution {
  /** The number of tables that are distributed. */
  readonly tables: number;
  /** The number of shards of each table. */
  readonly shards: number;
  /** The number of nodes that store shards. */
  readonly nodes: number;
  /** Tables that must be distributed, but are not, because `sluice migrate --distribute` has not finished. */
  readonly remaining: readonly string[];
}

/** Tables with a tenant ID that stay on the coordinator, and the reason. */
const LOCAL_TABLES = [
  'api_key_prefixes', // read before the tenant is known
  'finding_backfills', // empty: databases of earlier releases cannot be distributed until their upgrade has finished
  'frame_queue', // locked by workers across all tenants
  'reread_queue', // empty, like finding_backfills
  'webhook_queue', // locked by workers across all tenants
];

/** Whether the database has the Citus extension. */
export async function hasCitus(client: Queryable): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1;
}

/** The tables that are distributed, or have to be, in alphabetical order. */
export async function readTenantTables(
  client: Queryable,
): Promise<readonly { readonly name: string; readonly isDistributed: boolean }[]> {
  const { rows } = await client.query<{ name: string; isDistributed: boolean }>(
    `select c.relname as name,
       exists (select from pg_dist_partition where logicalrelid = c.oid and partmethod = 'h') as "isDistributed"
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = to_regnamespace('${SCHEMA}') and c.relkind = 'r' and c.relname <> all ($1)
     order by c.relname collate "C"`,
    [LOCAL_TABLES],
  );
  return rows;
}

/**
 * Returns `undefined` if no table is distributed. Works with every schema version. Throws an OperatorError if the
 * server is a worker node.
 */
export async function readDistribution(client: Queryable): Promise<Distribution | undefined> {
  if (!(await hasCitus(client))) return undefined;
  await assertCoordinator(client);
  const tables = await readTenantTables(client);
  const remaining = tables.filter((table) => !table.isDistributed).map(({ name }) => name);
  if (remaining.length === tables.length) return undefined;
  const { rows } = await client.query<{ shards: number; nodes: number }>(
    `select (select count(*)::int from pg_dist_shard where logicalrelid = to_regclass('${SCHEMA}.tenants')) as shards,
       (select count(*)::int from pg_dist_node
        where isactive and shouldhaveshards and noderole = 'primary') as nodes`,
  );
  return { tables: tables.length - remaining.length, ...onlyRow({ rows }), remaining };
}

/** Throws an OperatorError if `sluice migrate --distribute` was interrupted. */
export function assertWhole(distribution: Distribution | undefined): void {
  if (distribution === undefined || distribution.remaining.length === 0) return;
  throw new OperatorError(
    `the database is only partly distributed: ${distribution.remaining.join(', ')} remain; to continue, run: sluice migrate --distribute`,
  );
}

async function assertCoordinator(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ isCoordinator: boolean }>(
    'select citus_is_coordinator() as "isCoordinator"',
  );
  if (rows[0]?.isCoordinator === true) return;
  throw new OperatorError(
    'DATABASE_URL points to a worker node of a Citus cluster; set it to the coordinator',
  );
}
