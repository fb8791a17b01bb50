import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf, OperatorError } from '../lib/errors.ts';
import { underMigrationLock } from './apply-migrations.ts';
import { SCHEMA } from './connect.ts';
import { readBackfillProgress } from './finding-backfills.ts';
import { assertPrimary, type MigratedDatabase, migrate, withLoginSession } from './migrate.ts';
import { type Distribution, hasCitus, readDistribution, readTenantTables } from './read-distribution.ts';
import { reportLockWaits } from './report-lock-waits.ts';
import { prepareNodeRole, prepareRole } from './restricted-role.ts';

export interface DistributeOptions {
  /** The number of shards of each table; by default that of a distributed database, otherwise 32. */
  readonly shards: number | undefined;
  /** Called with a message for each table, and when a statement waits for a lock. */
  readonly log: (message: string) => void;
}

export interface DistributedDatabase extends MigratedDatabase {
  readonly distribution: Distribution;
}

const DEFAULT_SHARDS = 32;
const OLDEST_CITUS = 13;
/** The part of the findings of a shard that must have changed before autovacuum runs. */
const VACUUMED_PART = 0.02;
/** All other tables have as many shards as this one, on the same nodes. */
const FIRST_TABLE = 'tenants';
/** Without distributed tables, the queue determines which frames are done. */
const MARK_DONE_FRAMES = `
  update ${SCHEMA}.frames set done_at = clock_timestamp()
  where (tenant_id, ingestion_id, number) not in (select tenant_id, ingestion_id, number from ${SCHEMA}.frame_queue)`;

/**
 * Applies pending migrations, and distributes the tables of tenants over the nodes of the Citus cluster. Can be repeated
 * after an interruption. All servers must be stopped, unless all tables are already distributed: the planner's options
 * are then copied to shards that have been moved.
 *
 * @throws OperatorError for a database that cannot be distributed
 */
export async function distribute(
  url: string,
  { shards, log }: DistributeOptions,
): Promise<DistributedDatabase> {
  await withLoginSession(url, async (client) => {
    await assertPrimary(client);
    await assertCluster(client);
    const distribution = await readDistribution(client);
    if (!isWhole(distribution)) await assertNoServers(client);
    assertShards(distribution, shards);
  });
  const { applied } = await migrate(url, { log, isDistributing: true });
  await withLoginSession(url, async (client) => {
    await assertUpgraded(client);
    const isComplete = isWhole(await readDistribution(client));
    if (!isComplete) await assertNoServers(client);
    await reportLockWaits(client, url, log, async () => {
      if (isComplete) return;
      await distributeTables(client, shards ?? DEFAULT_SHARDS, log);
      await removeLocalRows(client);
    });
  });
  const { database, distribution } = await migrate(url, { log });
  if (distribution === undefined) throw new Error('no table was distributed');
  return { database, applied, distribution };
}

async function assertCluster(client: pg.Client): Promise<void> {
  if (!(await hasCitus(client)))
    throw new OperatorError(
      'the database has no Citus extension; run "create extension citus" on every node, and add the workers with citus_add_node',
    );
  const { rows } = await client.query<{ version: string; workers: number }>(
    `select (select extversion from pg_extension where extname = 'citus') as version,
       (select count(*)::int from pg_dist_node
        where isactive and shouldhaveshards and noderole = 'primary') as workers`,
  );
  const [cluster] = rows;
  if (cluster !== undefined && Number.parseInt(cluster.version, 10) < OLDEST_CITUS)
    throw new OperatorError(`Citus ${cluster.version} is too old; Sluice requires version ${OLDEST_CITUS}`);
  if (cluster?.workers === 0)
    throw new OperatorError(
      'the Citus cluster has no worker that stores shards; add one with citus_add_node',
    );
}

/** Sessions that began before the tables were distributed would not be restricted to one node. */
async function assertNoServers(client: pg.Client): Promise<void> {
  // Sessions of this command have one of the excluded names, and may end a little later than they are closed.
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'sluice %'
       and application_name not in ('sluice start', 'sluice migrate') order by name`,
  );
  if (rows.length > 0)
    throw new OperatorError(
      `other processes of Sluice use the database (${rows.map(({ name }) => name).join(', ')}); stop them first`,
    );
}

function isWhole(distribution: Distribution | undefined): boolean {
  return distribution?.remaining.length === 0;
}

function assertShards(distribution: Distribution | undefined, requested: number | undefined): void {
  if (requested === undefined || distribution === undefined || distribution.shards === requested) return;
  throw new OperatorError(
    `the tables already have ${distribution.shards} shards; the number of shards cannot be changed`,
  );
}

async function assertUpgraded(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isPrevious: boolean }>(
    `select attnotnull as "isPrevious" from pg_attribute
     where attrelid = '${SCHEMA}.findings'::regclass and attname = 'check_id'`,
  );
  if (rows[0]?.isPrevious !== true && (await readBackfillProgress(client)) === undefined) return;
  throw new OperatorError(
    'a database that an earlier release created cannot be distributed by this release; the next release removes the previous layout of findings',
  );
}

/** Only in the message: PostgreSQL uses the code of internal errors. */
const CONCURRENT_CHANGE = /^tuple concurrently (updated|deleted)/;
const MAX_ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * Runs work in a transaction that holds the migration lock. Repeats it after a concurrent change of an object that all
 * databases of a node share: Citus creates roles and their privileges on the nodes with each table.
 */
async function inOwnTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await underMigrationLock(client, work);
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !CONCURRENT_CHANGE.test(messageOf(error))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Distributes each table in its own transaction, unless it is distributed already. */
async function distributeTables(
  client: pg.Client,
  shards: number,
  log: DistributeOptions['log'],
): Promise<void> {
  const tables = await readTenantTables(client);
  const ordered = await sortByReferences(
    client,
    tables.map(({ name }) => name),
  );
  for (const [at, name] of ordered.entries()) {
    // Other commands accept the database as soon as the last table is distributed.
    if (at === ordered.length - 1) await prepareNodes(client);
    if (tables.some((table) => table.name === name && table.isDistributed)) continue;
    log(`distributing ${name}: ${at + 1} of ${ordered.length} tables`);
    await inOwnTransaction(client, () => distributeTable(client, name, shards));
  }
}

async function distributeTable(client: pg.Client, name: string, shards: number): Promise<void> {
  // With this search path, the definitions of triggers name the schema of their functions, as the nodes require.
  await client.query(`set local search_path to pg_catalog`);
  await client.query(`set local citus.shard_count = ${shards}; set local citus.enable_unsafe_triggers = on`);
  const table = `${SCHEMA}.${client.escapeIdentifier(name)}`;
  // The role that applies changes while a shard is moved would be subject to forced row level security, and the move
  // would never end. The service's sessions never use the owner of the tables.
  await client.query(`alter table ${table} no force row level security`);
  if (name === 'frames') await client.query(MARK_DONE_FRAMES);
  // Otherwise, the triggers of a shard would run for each row that is copied to it.
  const { rows: triggers } = await client.query<{ name: string; definition: string }>(
    `select quote_ident(tgname) as name, pg_get_triggerdef(oid) as definition from pg_trigger
     where tgrelid = $1::regclass and not tgisinternal`,
    [table],
  );
  for (const trigger of triggers) await client.query(`drop trigger ${trigger.name} on ${table}`);
  await client.query(`select create_distributed_table($1, 'tenant_id', colocate_with => $2)`, [
    table,
    // Not in the colocation group of another application.
    name === FIRST_TABLE ? 'none' : `${SCHEMA}.${FIRST_TABLE}`,
  ]);
  for (const { definition } of triggers) await client.query(definition);
}

/** Sorts tables so that each table follows those that it references, as Citus requires. */
async function sortByReferences(client: pg.Client, names: readonly string[]): Promise<readonly string[]> {
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select c.relname as from, r.relname as to from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = '${SCHEMA}'::regnamespace`,
  );
  const ordered = [FIRST_TABLE];
  while (ordered.length < names.length) {
    const next = names.find(
      (name) =>
        !ordered.includes(name) && references.every(({ from, to }) => from !== name || ordered.includes(to)),
    );
    if (next === undefined) throw new Error('the foreign keys of the remaining tables form a cycle');
    ordered.push(next);
  }
  return ordered;
}

/** Prepares everything but the tables. Requires that API keys and findings are distributed. */
async function prepareNodes(client: pg.Client): Promise<void> {
  // Citus has created functions on the nodes only if tables depend on them. Volatile ones run on the coordinator.
  await inOwnTransaction(client, () =>
    client.query(
      `select create_distributed_function(oid::regprocedure) from pg_proc
       where pronamespace = '${SCHEMA}'::regnamespace and prokind = 'f' and provolatile <> 'v'`,
    ),
  );
  await inOwnTransaction(client, async () => {
    // Citus refuses to create a role after parallel statements.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await prepareRole(client);
    await prepareNodeRole(client);
  });
  await inOwnTransaction(client, async () => {
    await client.query(
      'insert into api_key_prefixes (prefix, tenant_id) select prefix, tenant_id from api_keys on conflict do nothing',
    );
  });
  // In other databases, the service vacuums findings after uploads (vacuum-findings.ts). Here, it would have to vacuum all
  // shards, and the coordinator does not know their sizes. Citus applies the options to shards.
  await inOwnTransaction(client, () =>
    client.query(
      `alter table findings set (autovacuum_vacuum_scale_factor = ${VACUUMED_PART},
         autovacuum_vacuum_insert_scale_factor = ${VACUUMED_PART})`,
    ),
  );
}

/** Removes the rows that the coordinator keeps after they have been copied to shards. */
async function removeLocalRows(client: pg.Client): Promise<void> {
  for (const { name } of await readTenantTables(client))
    await inOwnTransaction(client, () =>
      client.query('select truncate_local_data_after_distributing_table($1)', [name]),
    );
}
