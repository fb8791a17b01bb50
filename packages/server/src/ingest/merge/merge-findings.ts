import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { UNIQUE_VIOLATION } from '../../db/database-errors.ts';
import type { Queryable } from '../../db/transaction.ts';
import { codeOf } from '../../lib/errors.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { type CopyRows, type Duplicate, INCOMING_COLUMNS, rankSql } from './copy-rows.ts';

/** A dropped duplicate with the number of its frame. */
export interface DuplicateRecord extends Duplicate {
  readonly frame: number;
}

const NAMES = INCOMING_COLUMNS.map(([name]) => name);
/** The columns whose values come from the newer of two records. */
const REPLACED = [
  ...NAMES.filter(
    (name) => !['id', 'provider_id', 'first_seen_at', 'status_changed_at', 'other_status_at'].includes(name),
  ),
  'ingestion_id',
  'frame',
];

/**
 * A temporary table that each connection needs, because PostgreSQL rejects COPY into a table with row level security.
 */
export const CREATE_INCOMING = `create temporary table incoming (${INCOMING_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')}) on commit delete rows`;

/** Maximum number of findings in the sample of `INSERT_NEW`. */
const SAMPLE_SIZE = 16;

/**
 * Inserts the frame's findings if none of the findings in a sample ($4) exists yet. Most frames contain either only new
 * findings or only findings of the previous scan. Looking up each row twice, as `on conflict` does, takes a sixth of
 * the merge time.
 */
const INSERT_NEW = `
  insert into findings (tenant_id, ingestion_id, frame, ${NAMES.join(', ')})
  select $1, $2, $3, ${NAMES.join(', ')} from incoming
  where not exists (select from findings where tenant_id = $1 and id = any ($4::uuid[]))`;

/** SQL expression for the latest time at which the finding had a status other than that of the newer row. */
const latestOther = (newer: string, older: string) =>
  `greatest(${newer}.other_status_at,
      case when ${older}.status = ${newer}.status then ${older}.other_status_at else ${older}.last_seen_at end)`;

/**
 * SQL expression for the time since which the newer row has had its status. `other` is the latest time of a different
 * status.
 */
const heldSince = (newer: string, older: string, other: string) =>
  `coalesce(least(
      case when ${newer}.status_changed_at > ${other} then ${newer}.status_changed_at end,
      case when ${older}.status = ${newer}.status and ${older}.status_changed_at > ${other} then ${older}.status_changed_at end,
      case when ${older}.status = ${newer}.status and ${older}.last_seen_at > ${other} then ${older}.last_seen_at end
    ), ${newer}.last_seen_at)`;

const heldSinceAfter = (newer: string, older: string) =>
  heldSince(newer, older, `coalesce(${latestOther(newer, older)}, '-infinity')`);

/** SQL expression for the value that a column had before the upload of the newer record. */
const previous = (column: string, current: string) =>
  `case
      when excluded.ingestion_id > f.ingestion_id then f.${current}
      when excluded.ingestion_id = f.ingestion_id or f.previous_ingestion_id < excluded.ingestion_id then f.${column}
    end`;

/**
 * Inserts new findings and updates those for which this frame has the newer record. Of two records, the one with the
 * later time wins; ties are broken by the later upload, the more severe result, and the later position in the file.
 * Rows are locked in the order of their ids, so that two frames never deadlock. The generated column `delta` compares
 * `previous_status` with the status: new, changed or unchanged.
 */
const MERGE_NEWER = `
  with merged as (
  insert into findings as f (tenant_id, ingestion_id, frame, ${NAMES.join(', ')})
  select $1, $2, $3, ${NAMES.join(', ')} from incoming
  on conflict (tenant_id, id) do update set
    ${REPLACED.map((name) => `${name} = excluded.${name}`).join(', ')},
    first_seen_at = least(f.first_seen_at, excluded.first_seen_at),
    status_changed_at = ${heldSinceAfter('excluded', 'f')},
    other_status_at = ${latestOther('excluded', 'f')},
    previous_status = ${previous('previous_status', 'status')},
    previous_seen_at = ${previous('previous_seen_at', 'last_seen_at')},
    previous_ingestion_id = ${previous('previous_ingestion_id', 'ingestion_id')},
    counted_as = null,
    replaced_record = case when f.ingestion_id = excluded.ingestion_id and f.last_seen_at = excluded.last_seen_at
      then array[f.frame::bigint, f.record_offset, f.record_index] end
  where (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)
    < (excluded.last_seen_at, excluded.ingestion_id, ${rankSql('excluded')}, excluded.record_index)
  returning record_index, replaced_record, uid)
  select count(*)::int as count, coalesce(jsonb_agg(jsonb_build_object('frame', replaced_record[1],
      'offset', replaced_record[2], 'recordIndex', replaced_record[3], 'kept', record_index, 'uid', uid))
    filter (where replaced_record is not null), '[]') as duplicates
  from merged`;

/** SQL condition: this frame has the newest record from before the upload that determined the finding's state. */
const IS_PREVIOUS = `($2 < f.ingestion_id
    and (f.previous_ingestion_id is null or (f.previous_seen_at, f.previous_ingestion_id) < (i.last_seen_at, $2::uuid)))`;

/**
 * Updates findings for which this frame has an older record. Their state is unchanged, but they were seen earlier, may
 * have had their status for longer, and may have had another status before. `MERGE_NEWER` has already locked these
 * rows.
 */
const MERGE_OLDER = `
  update findings f set
    first_seen_at = least(f.first_seen_at, i.first_seen_at),
    status_changed_at = ${heldSinceAfter('f', 'i')},
    other_status_at = ${latestOther('f', 'i')},
    previous_status = case when ${IS_PREVIOUS} then i.status else f.previous_status end,
    previous_seen_at = case when ${IS_PREVIOUS} then i.last_seen_at else f.previous_seen_at end,
    previous_ingestion_id = case when ${IS_PREVIOUS} then $2::uuid else f.previous_ingestion_id end,
    counted_as = case when ${IS_PREVIOUS} then coalesce(f.counted_as, f.delta) else f.counted_as end
  from incoming i
  where f.tenant_id = $1 and f.id = i.id
    and (i.last_seen_at, $2::uuid, ${rankSql('i')}, i.record_index)
      < (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)
  returning i.record_offset as offset, i.record_index::float8 as "recordIndex", f.record_index::float8 as kept, f.uid,
    f.ingestion_id = $2 and f.last_seen_at = i.last_seen_at as "isDuplicate"`;

/**
 * Merges a frame's rows (one per finding) into the findings, in the open transaction. The result does not depend on
 * the order in which frames are merged; the migrations document the columns. Returns the duplicate records that were
 * dropped.
 */
export async function mergeFindings(
  client: pg.Client,
  { tenantId, ingestionId, number }: ClaimedFrame,
  rows: CopyRows,
): Promise<readonly DuplicateRecord[]> {
  if (rows.count === 0) return [];
  await rows.copy((bytes) =>
    pipeline(
      Readable.from([bytes]),
      client.query(copyFrom(`copy incoming (${NAMES.join(', ')}) from stdin (format binary)`)),
    ),
  );
  const frame = [tenantId, ingestionId, number];
  if (await insertNew(client, frame, rows)) return [];
  const newer = await client.query<{ count: number; duplicates: readonly DuplicateRecord[] }>(
    MERGE_NEWER,
    frame,
  );
  const { count, duplicates } = newer.rows[0] ?? { count: 0, duplicates: [] };
  if (count === rows.count) return duplicates;
  const older = await client.query<DuplicateRecord & { isDuplicate: boolean }>(MERGE_OLDER, [
    tenantId,
    ingestionId,
  ]);
  const kept = older.rows.filter(({ isDuplicate }) => isDuplicate).map((row) => ({ ...row, frame: number }));
  return [...duplicates, ...kept];
}

/** Returns whether all findings were new and are now inserted. Otherwise nothing was changed. */
async function insertNew(client: pg.Client, frame: readonly unknown[], rows: CopyRows): Promise<boolean> {
  await client.query('savepoint merging');
  try {
    const { rowCount } = await client.query(INSERT_NEW, [...frame, rows.someIds(SAMPLE_SIZE)]);
    return rowCount === rows.count;
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint merging');
    return false;
  }
}

/** The columns by which findings are counted. */
const GROUP_COLUMNS = 'provider_id, service, severity, status, muted, delta';

/**
 * Creates a table that each connection needs before it changes findings. In this table, triggers on `findings` record
 * how a transaction changes the number of findings in each group.
 */
export const CREATE_FINDING_CHANGES = `create temporary table finding_changes (provider_id uuid, ingestion_id uuid,
  scan_uid text, service text, severity smallint, status finding_status, muted boolean, delta finding_delta,
  counted_as finding_delta, number bigint, last_seen_at timestamptz) on commit delete rows`;

/** Ordered by group, so that two transactions never deadlock. */
const ADD_TO_COUNTS = `
  insert into finding_counts as c (tenant_id, ${GROUP_COLUMNS}, number, last_seen_at)
  select $1, ${GROUP_COLUMNS}, sum(number), max(last_seen_at) from finding_changes group by ${GROUP_COLUMNS} order by ${GROUP_COLUMNS}
  on conflict (tenant_id, ${GROUP_COLUMNS}) do update set
    number = c.number + excluded.number, last_seen_at = greatest(c.last_seen_at, excluded.last_seen_at)`;

/**
 * Applies the changes of the open transaction to the tenant's finding counts. Call it as late as possible: until the
 * transaction ends, it locks rows that all frames of the same accounts share.
 */
export async function updateFindingCounts(client: Queryable, tenantId: string): Promise<void> {
  await client.query(ADD_TO_COUNTS, [tenantId]);
}
