import { stateSql } from '../changes/finding-state.ts';
import { firstScan, timelinesSql } from '../changes/timelines.ts';
import { rankSql } from './combine-rows.ts';
import { rowNames } from './copied-rows.ts';
import { MERGED_COLUMNS, PREVIOUS_COUNT_CODE, withChanges } from './finding-totals.ts';
import { unpackedRows } from './packed-rows.ts';
import { returning } from './returned-findings.ts';

/** On which database a frame is merged. */
export interface MergeTarget {
  /** Whether `findings` has the previous layout. A distributed table never has it. */
  readonly hasPreviousLayout: boolean;
  readonly isDistributed: boolean;
}

/**
 * The statements that merge the rows of a frame. Their first parameters are the ids of the tenant and the ingestion,
 * and the number of the frame.
 */
export interface MergeStatements {
  /**
   * Inserts the rows of a frame whose findings are all new. Most frames contain either only new findings or only
   * findings of the previous scan. Looking up each row twice, as `on conflict` does, takes a sixth of the merge time. The
   * parameters of the rows follow.
   */
  readonly insertNew: string;
  /**
   * Inserts new findings and updates those for which this frame has the newer record. `readReturned` reads the result.
   */
  readonly mergeNewer: string;
  /**
   * Returns the timelines of findings that have a newer record than their row, see `timelinesSql`. The ids of the rows are a
   * parameter before those of the rows.
   */
  readonly readLate: string;
  /** Updates the findings of these rows, with the same parameters. Returns a `MergedOlder`. */
  readonly mergeOlder: string;
}

export function mergeStatements(target: MergeTarget): MergeStatements {
  const names = rowNames(target.hasPreviousLayout);
  const rows = (first: number) => (target.isDistributed ? unpackedRows(first) : 'incoming');
  return {
    insertNew: insertSql(names, rows(4)),
    readLate: readLateSql(rows(5)),
    mergeOlder: withChanges(mergeOlderSql(rows(5)), OLDER, target.isDistributed),
    mergeNewer: returning(insertOrUpdateSql(names, rows(4), target.hasPreviousLayout), target.isDistributed),
  };
}

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

/** SQL condition: this frame has the newest record from before the upload that determined the finding's state. */
const IS_PREVIOUS = `($2 < f.ingestion_id
    and (f.previous_ingestion_id is null or (f.previous_seen_at, f.previous_ingestion_id) < (i.last_seen_at, $2::uuid)))`;

/** SQL condition: the record of a row of this upload is older than that of the finding `f`. */
const isOlder = (row: string, ingestionId: string) => `
    (${row}.last_seen_at, ${ingestionId}, ${rankSql(row)}, ${row}.record_index)
      < (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)`;

/** The tenant's id comes from a table; Citus would otherwise pass each row through the coordinator. */
function insertSql(names: readonly string[], rows: string): string {
  return `
    insert into findings as f (tenant_id, ingestion_id, frame, ${names.join(', ')})
    select t.tenant_id, $2, $3, ${names.map((name) => `i.${name}`).join(', ')}
    from tenants t cross join ${rows} as i where t.tenant_id = $1`;
}

/** SQL condition: the newer record is not older than the resolution of the finding. Null if it is not resolved. */
const FOLLOWS_RESOLUTION = 'f.resolved_at <= excluded.last_seen_at';

/** The columns that do not simply come from the newer of two records. */
const COMBINED = new Set(['id', 'provider_id', 'first_seen_at', 'status_changed_at', 'other_status_at']);

/**
 * Of two records, the one with the later time wins; ties are broken by the later upload, the more severe result, and
 * the later position in the file. Rows are locked in the order of their ids, so that two frames never deadlock. The
 * generated column `delta` compares `previous_status` with the status: new, changed or unchanged.
 */
function insertOrUpdateSql(names: readonly string[], rows: string, hasPreviousLayout: boolean): string {
  const replaced = [...names.filter((name) => !COMBINED.has(name)), 'ingestion_id', 'frame'];
  // The previous release does not write the scan.
  const scanId = hasPreviousLayout
    ? 'coalesce(f.scan_id, finding_scan_id(f.ingestion_id, f.provider_id, f.scan_uid))'
    : 'f.scan_id';
  const isSameUpload = 'f.ingestion_id = excluded.ingestion_id';
  return `${insertSql(names, rows)}
    on conflict (tenant_id, id) do update set
      ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')},
      first_seen_at = least(f.first_seen_at, excluded.first_seen_at),
      status_changed_at = ${heldSinceAfter('excluded', 'f')},
      other_status_at = ${latestOther('excluded', 'f')},
      previous_status = ${previous('previous_status', 'status')},
      previous_seen_at = ${previous('previous_seen_at', 'last_seen_at')},
      previous_ingestion_id = ${previous('previous_ingestion_id', 'ingestion_id')},
      prior_state = case
        when not ${isSameUpload} then ${stateSql('f', `coalesce(${FOLLOWS_RESOLUTION}, false)`)}
        when ${FOLLOWS_RESOLUTION} then coalesce(f.prior_state, ${stateSql('f', 'true')}) | 8
        else f.prior_state end,
      first_scan_id = case when ${isSameUpload} then f.first_scan_id else ${firstScan('f')} end,
      resolved_at = null,
      resolved_by = null,
      replaced_code = ${PREVIOUS_COUNT_CODE},
      replaced_facet = case when f.facet_key <> excluded.facet_key then f.facet_key end,
      replaced = case when ${isSameUpload} then replaced_record(
        f.last_seen_at = excluded.last_seen_at, f.frame, f.record_offset, f.record_index, ${scanId},
        ${stateSql('f', 'false')}, f.prior_state, ${FOLLOWS_RESOLUTION}) end
    where (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)
      < (excluded.last_seen_at, excluded.ingestion_id, ${rankSql('excluded')}, excluded.record_index)`;
}

/** The rows that `insertOrUpdateSql` has locked, but not updated. */
function readLateSql(rows: string): string {
  return timelinesSql(rows, '$4', `$3::integer is not null and ${isOlder('i', '$2::uuid')}`);
}

/**
 * The state of the findings is unchanged, but they were seen earlier, may have had their status for longer, and may have
 * had another status before. `insertOrUpdateSql` has already locked these rows.
 */
function mergeOlderSql(rows: string): string {
  return `
  update findings f set
    first_seen_at = least(f.first_seen_at, i.first_seen_at),
    status_changed_at = ${heldSinceAfter('f', 'i')},
    other_status_at = ${latestOther('f', 'i')},
    previous_status = case when ${IS_PREVIOUS} then i.status else f.previous_status end,
    previous_seen_at = case when ${IS_PREVIOUS} then i.last_seen_at else f.previous_seen_at end,
    previous_ingestion_id = case when ${IS_PREVIOUS} then $2::uuid else f.previous_ingestion_id end,
    first_scan_id = case when f.ingestion_id = $2 then f.first_scan_id else ${firstScan('f')} end,
    replaced_code = ${PREVIOUS_COUNT_CODE},
    replaced_facet = null
  from ${rows} i
  where f.tenant_id = $1 and f.id = any($4::uuid[]) and f.id = i.id and ${isOlder('i', '$2::uuid')}
  returning ${MERGED_COLUMNS}, f.ingestion_id, f.last_seen_at, i.record_offset as dropped_offset,
    i.record_index as dropped_index, i.last_seen_at as dropped_at`;
}

const OLDER = {
  select: `coalesce(jsonb_agg(jsonb_build_object('id', id, 'frame', $3::int, 'offset', dropped_offset,
      'recordIndex', dropped_index, 'kept', record_index))
    filter (where ingestion_id = $2 and last_seen_at = dropped_at), '[]') as dropped`,
};
