import { onlyRow } from '../../db/only-row.ts';
import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { ChangedFindings } from '../changes/change-counts.ts';
import { changeOf, FINDING_STATUSES } from '../changes/finding-state.ts';
import { rankOf } from '../merge/combine-rows.ts';
import { NO_PRODUCT } from '../merge/coverage-scopes.ts';
import { absentFromScopes, type ScopesSql } from '../merge/resolve-findings.ts';
import type { Coverage } from '../upload/coverage.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { DroppedRecord } from '../worker/record-warnings.ts';

type Job = Pick<ClaimedFrame, 'tenantId' | 'ingestionId'>;

/** SQL expression for the rank of a state (`rankOf`). */
const rankOfState = (state: string) =>
  `(case ${FINDING_STATUSES.map(
    (status, bits) => `when ${state} & 3 = ${bits} then ${rankOf({ status, muted: true })}`,
  ).join(' ')} end + (${state} & 4 = 0)::int)`;

/** SQL for the records of a job: one per finding and frame. */
const RECORDS = `(
  select u.*, p.frame, ${rankOfState('u.state')} as rank from dry_run_parts p
  cross join lateral unnest(p.finding_ids, p.times, p.states, p.prior_states, p.record_indexes, p.record_offsets)
    as u (id, time, state, prior_state, record_index, record_offset)
  where p.tenant_id = $1 and p.ingestion_id = $2)`;

/** SQL for the newest record of each finding, like `combineRows`. */
const NEWEST = `
  select distinct on (id) id, state, prior_state from ${RECORDS} as r
  order by id, time desc, rank desc, record_index desc`;

/** Returns how the records would change findings. */
export async function findChanges(
  client: Queryable,
  { tenantId, ingestionId }: Job,
): Promise<readonly ChangedFindings[]> {
  const { rows } = await client.query<{ state: number; prior: number | null; count: number }>(
    `select state, prior_state as prior, count(*)::float8 as count from (${NEWEST}) as newest group by state, prior_state`,
    [tenantId, ingestionId],
  );
  return rows.map(({ state, prior, count }) => ({ change: changeOf(prior, state), state, count }));
}

const SCOPES: ScopesSql = {
  sql: `select u.provider_id, u.product, u.check_key, min(u.time) as time, $2::uuid as resolved_by from coverage_parts c
    cross join lateral unnest(c.provider_ids, c.products, c.check_keys, c.times) as u (provider_id, product, check_key, time)
    where c.tenant_id = $1 and c.ingestion_id = $2 and u.product <> '${NO_PRODUCT}'
    group by u.provider_id, u.product, u.check_key`,
  providers:
    'select unnest(c.provider_ids) from coverage_parts c where c.tenant_id = $1 and c.ingestion_id = $2',
};

/** Returns the findings that the upload would resolve. */
export async function findResolved(
  client: Queryable,
  { tenantId, ingestionId }: Job,
  coverage: Coverage,
): Promise<readonly ChangedFindings[]> {
  const absent = absentFromScopes(
    'f.id, finding_state_code(f.severity, f.status, f.muted, false) as state',
    SCOPES,
    coverage,
  );
  const { rows } = await withHashJoins(client, () =>
    client.query<{ state: number; count: number }>(
      `select a.state, count(*)::float8 as count from (${absent}) as a
       left join (${NEWEST}) as newest on newest.id = a.id
       where newest.id is null group by a.state`,
      [tenantId, ingestionId],
    ),
  );
  return rows.map((row) => ({ change: 'resolved', ...row }));
}

/** A provider that the upload would create. */
interface NewProvider {
  readonly type: string;
  readonly account: string;
  readonly name: string | null;
}

export interface NewProviders {
  readonly total: number;
  /** The first ones, by type and account. */
  readonly listed: readonly NewProvider[];
}

const MAX_NEW_PROVIDERS = 1000;

const NEW_PROVIDERS = `
  select n.*, count(*) over ()::float8 as total from (
    select u.type, u.account, max(u.name) as name from dry_run_parts p
    cross join lateral unnest(p.provider_types, p.accounts, p.account_names) as u (type, account, name)
    where p.tenant_id = $1 and p.ingestion_id = $2
    group by u.type, u.account
  ) as n
  left join (select type, account from providers where tenant_id = $1 and deleted_at is null) as known
    on known.type = n.type and known.account = n.account
  where known.type is null
  order by n.type collate "C", n.account collate "C" limit ${MAX_NEW_PROVIDERS}`;

export async function findNewProviders(
  client: Queryable,
  { tenantId, ingestionId }: Job,
): Promise<NewProviders> {
  const { rows } = await withHashJoins(client, () =>
    client.query<NewProvider & { total: number }>(NEW_PROVIDERS, [tenantId, ingestionId]),
  );
  return {
    total: rows[0]?.total ?? 0,
    listed: rows.map(({ type, account, name }) => ({ type, account, name })),
  };
}

/** The records that other frames of the job replace, although they have the same time, and their total number. */
export async function findDuplicates(
  client: Queryable,
  { tenantId, ingestionId }: Job,
  limit: number,
): Promise<{ readonly total: number; readonly first: readonly DroppedRecord[] }> {
  const duplicates = `
    select frame, record_offset as "offset", record_index as "recordIndex", kept from (
      select r.*, first_value(record_index) over (partition by id, time order by rank desc, record_index desc) as kept
      from ${RECORDS} as r
    ) as ranked where record_index <> kept`;
  const { total, first } = onlyRow(
    await client.query<{ total: number; first: readonly Omit<DroppedRecord, 'uid'>[] }>(
      `with duplicates as materialized (${duplicates})
       select (select count(*) from duplicates)::float8 as total, coalesce(
         (select jsonb_agg(d) from (select * from duplicates order by "recordIndex" limit $3) as d), '[]') as first
       from tenants where tenant_id = $1`,
      [tenantId, ingestionId, limit],
    ),
  );
  return { total, first: first.map((record) => ({ ...record, uid: null })) };
}
