import { COVERAGE_LOCK_CLASS } from '../../db/advisory-locks.ts';
import { isDistributed } from '../../db/distribution.ts';
import { onlyRow } from '../../db/only-row.ts';
import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import { ChangeCounts } from '../changes/change-counts.ts';
import { type ResolvedFinding, recordResolutions } from '../changes/record-resolutions.ts';
import type { Coverage } from '../upload/coverage.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import {
  type CountChanges,
  insertChanges,
  MERGED_COLUMNS,
  PREVIOUS_COUNT_CODE,
  withChanges,
} from './finding-totals.ts';
import { joinScopes, RESOLVED_BY, sortedScopes, tieBreakerOf } from './sorted-scopes.ts';

// A finding is resolved if its newest record is older than the coverage time of a scope that holds it. The earliest such
// time resolves it, so that the state does not depend on the order in which uploads are processed.

/**
 * Until the open transaction ends, no coverage is published. Otherwise, a frame might not see it, while the end of its
 * job does not see the frame's findings. Call it before the transaction locks findings.
 */
export async function holdCoverage(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($2, hashtext($1))', [
    tenantId,
    COVERAGE_LOCK_CLASS,
  ]);
}

/** Waits for the frames of the tenant that are being merged. Others wait until the open transaction ends. */
export async function lockCoverage(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($2, hashtext($1))', [tenantId, COVERAGE_LOCK_CLASS]);
}

/**
 * The assignments that resolve a finding, and those that `withChanges` needs. `ingestionId` is null if a user resolves
 * it.
 */
const resolve = (time: string, ingestionId: string) =>
  `resolved_at = ${time}, resolved_by = ${ingestionId}, replaced_code = ${PREVIOUS_COUNT_CODE}, replaced_facet = null, replaced = null`;

/** SQL condition: no earlier coverage resolves the finding. */
const isFirst = (finding: string, time: string, ingestionId: string) =>
  `(${finding}.resolved_at is null
      or (${finding}.resolved_at, ${tieBreakerOf(`${finding}.resolved_by`)}) > (${time}, ${tieBreakerOf(ingestionId)}))`;

/**
 * Runs an update that resolves findings, and records what it changes: the counts of findings, and those of the scans that
 * resolve them, which the caller stores. The update reads the previous resolution from rows `l`, and selects findings by a
 * parameter with their ids, see `timelinesSql`. Returns the number of findings.
 */
async function resolveFindings(
  client: Queryable,
  update: string,
  values: readonly unknown[],
  changes: ChangeCounts,
): Promise<number> {
  const tenantId = String(values[0]);
  const returned = `${MERGED_COLUMNS}, l.coverage_id, l.old_time, l.old_by`;
  const text = withChanges(`${update} returning ${returned}`, RESOLVED, isDistributed(client));
  const resolved = onlyRow(await withHashJoins(client, () => client.query<Resolved>(text, [...values])));
  await insertChanges(client, tenantId, resolved.changes ?? []);
  await recordResolutions(client, tenantId, resolved.findings, changes);
  return resolved.findings.length;
}

const RESOLVED = {
  select: `coalesce(jsonb_agg(jsonb_build_object('id', id, 'providerId', provider_id, 'coverageId', coverage_id,
    'resolvedAt', ${milliseconds('resolved_at')}, 'state', finding_state_code(severity, status, muted, false),
    'oldTime', ${milliseconds('old_time')}, 'oldBy', old_by)), '[]') as findings`,
};

interface Resolved {
  readonly findings: readonly ResolvedFinding[];
  /** Unless the statement has recorded them. */
  readonly changes?: readonly CountChanges[];
}

/** A provider, and the time of its earliest record in a frame. */
interface EarliestRecord {
  readonly providerId: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Resolves the findings that have the state of this frame's records, if an upload that was processed before is complete
 * for them and newer than their records. Most frames have no such records.
 */
export async function resolveLate(
  client: Queryable,
  frame: ClaimedFrame,
  { earliest, ids, changes }: MergedRecords,
): Promise<void> {
  const { tenantId, ingestionId, number } = frame;
  const late = await client.query(HAS_LATE_RECORDS, [
    tenantId,
    earliest.map(({ providerId }) => providerId),
    earliest.map(({ startedAt }) => new Date(startedAt).toISOString()),
  ]);
  if (late.rowCount === 0) return;
  const values = [tenantId, ingestionId, number, ids()];
  await resolveFindings(client, RESOLVE_LATE, values, changes);
}

/** The records of a frame that was merged. */
interface MergedRecords {
  readonly earliest: readonly EarliestRecord[];
  readonly ids: () => readonly string[];
  readonly changes: ChangeCounts;
}

/** The first condition decides for tenants whose uploads have no coverage. */
const HAS_LATE_RECORDS = `
  select from tenants where tenant_id = $1 and exists(select from coverages c where c.tenant_id = $1) and exists(
    select from unnest((select $2::uuid[]), (select $3::timestamptz[])) as w (provider_id, time)
    cross join lateral (select from coverages c
      where c.tenant_id = $1 and c.provider_id = w.provider_id and c.newest_time > w.time limit 1) as later)`;

/**
 * The merge has reset the former resolution, but not its event. It may be that of a later coverage: an earlier one is in
 * effect for this frame as soon as it is published, before the end of its job has resolved the findings.
 */
const RESOLVE_LATE = `
  update findings f set ${resolve('l.time', 'l.resolved_by')}
  from (
    with merged as materialized (
      select f.id, f.provider_id, f.check_key, f.last_seen_at as since, p.product from findings f
      cross join lateral (select product from finding_facets where tenant_id = $1 and key = f.facet_key offset 0) as p
      where f.tenant_id = $1 and f.id = any($4::uuid[]) and f.ingestion_id = $2 and f.frame = $3
    ), scopes as materialized (${sortedScopes('merged')}),
    later as (
      select m.id, m.since, s.times[next] as time, s.resolved_by[next] as by, s.coverage_ids[next] as coverage_id
      from merged m ${joinScopes('m')}
      cross join lateral (select width_bucket(m.since, s.times) + 1) as n (next)
      where next <= cardinality(s.times)
    )
    select first.*, former.occurred_at as old_time, former.ingestion_id as old_by
    from (
      select distinct on (id) id, since, time, by as resolved_by, coverage_id from later
      order by id, time, ${tieBreakerOf('by')}
    ) as first
    left join lateral (
      select e.occurred_at, e.ingestion_id from finding_events e
      where e.tenant_id = $1 and e.finding_id = first.id and e.is_resolution and e.occurred_at > first.since
        and e.ingestion_id <> first.coverage_id
      limit 1
    ) as former on true
    offset 0
  ) as l
  where f.tenant_id = $1 and f.id = any($4::uuid[]) and f.id = l.id`;

/** A finding that an upload is complete for but does not contain. */
export interface AbsentFinding {
  readonly id: string;
  readonly facetKey: string;
  /** Coverage time of its scope. */
  readonly time: string;
}

/** SQL that selects the `AbsentFinding`s of the coverages of an upload or a user ($2) of a tenant ($1). */
export function absentFindings(coverage: Coverage): string {
  const scopes = {
    sql: `select c.provider_id, c.product, u.check_key, u.time, ${RESOLVED_BY} as resolved_by from coverages c
      cross join lateral unnest(c.check_keys, c.times) as u (check_key, time)
      where c.tenant_id = $1 and c.ingestion_id = $2`,
    providers: 'select provider_id from coverages where tenant_id = $1 and ingestion_id = $2',
  };
  return `select id, facet_key::text as "facetKey", time::text as time
    from (${absentFromScopes('f.id', scopes, coverage)}) as absent`;
}

/** SQL for scopes with their coverage times, and for the ids of their providers. */
export interface ScopesSql {
  readonly sql: string;
  readonly providers: string;
}

/**
 * SQL that selects columns of the findings `f` that are in scopes, but older, and which no earlier coverage resolves,
 * with their `facet_key` and the `time` of the scope. Without statistics, PostgreSQL might read all scopes again for each
 * finding. Therefore, it looks up the findings of each check in an index, or joins those of accounts with a hash table,
 * and compares the products afterwards. Run the statement in `withHashJoins`.
 */
export function absentFromScopes(columns: string, scopes: ScopesSql, coverage: Coverage): string {
  return `
  select older.*
  from (
    select f.facet_key, s.product, s.time, ${columns} from (${scopes.sql} offset 0) as s ${joinFindings(coverage, scopes.providers)}
      and f.last_seen_at < s.time and ${isFirst('f', 's.time', 's.resolved_by')}
    offset 0
  ) as older
  cross join lateral (select product from finding_facets where tenant_id = $1 and key = older.facet_key offset 0) as p
  where p.product = older.product`;
}

/** SQL join of scopes `s` with the findings `f` of their accounts and checks, and of any product. More conditions can follow. */
export const joinFindings = (coverage: Coverage, providers: string) =>
  coverage === 'checks'
    ? `cross join lateral (select * from findings
         where tenant_id = $1 and provider_id = s.provider_id and check_key = s.check_key offset 0) as f where true`
    : `join findings f on f.provider_id = s.provider_id
       where f.tenant_id = $1 and f.provider_id = any(array(${providers}))`;

/**
 * Resolves those of the findings that are still absent, in the open transaction, and returns their number. Locks them in
 * the order of their ids, as merges do. If a finding has another facet in the meantime, a frame that saw the coverage
 * has merged it.
 */
export async function resolveAbsent(
  client: Queryable,
  tenantId: string,
  { id, resolvedBy }: Resolver,
  findings: readonly AbsentFinding[],
): Promise<number> {
  // The triggers of migration 0029 do not count the changes again.
  await client.query("set local sluice.counts = 'backfill'");
  const changes = new ChangeCounts();
  const values = [
    tenantId,
    resolvedBy,
    findings.map((finding) => finding.id),
    findings.map(({ facetKey }) => facetKey),
    findings.map(({ time }) => time),
    id,
  ];
  const resolved = await resolveFindings(client, RESOLVE_ABSENT, values, changes);
  await changes.store(client, tenantId);
  return resolved;
}

/** The coverage that resolves findings. `resolvedBy` is null if it is that of a user, and not of the upload `id`. */
export interface Resolver {
  readonly id: string;
  readonly resolvedBy: string | null;
}

const RESOLVE_ABSENT = `
  update findings f set ${resolve('l.time', '$2::uuid')}
  from (
    select locked.id, w.time, $6::uuid as coverage_id, locked.resolved_at as old_time, locked.resolved_by as old_by
    from unnest($3::uuid[], $4::bigint[], $5::timestamptz[]) as w (id, facet_key, time)
    join (
      select f.id, f.facet_key, f.last_seen_at, f.resolved_at, f.resolved_by from findings f
      where f.tenant_id = $1 and f.id = any($3::uuid[])
      order by f.id offset 0 for no key update
    ) as locked on locked.id = w.id and locked.facet_key = w.facet_key and locked.last_seen_at < w.time
    where ${isFirst('locked', 'w.time', '$2::uuid')}
    offset 0
  ) as l
  where f.tenant_id = $1 and f.id = any($3::uuid[]) and f.id = l.id`;
