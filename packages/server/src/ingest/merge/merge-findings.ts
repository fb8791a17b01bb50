import type pg from 'pg';
import { onlyRow } from '../../db/only-row.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { rankSql } from './combine-rows.ts';
import { copyInto } from './copy-writer.ts';
import { linkResources } from './finding-resources.ts';
import { insertChanges, MERGED_COLUMNS, PREVIOUS_COUNT_CODE, withChanges } from './finding-totals.ts';
import { type Duplicate, type FrameRows, incomingColumns } from './frame-rows.ts';
import { insertIfAllNew, sampleOf } from './insert-if-all-new.ts';

/** A dropped duplicate with the number of its frame. */
export interface DuplicateRecord extends Duplicate {
  readonly frame: number;
}

/** How many findings of a scan are new or changed, according to one frame. */
export interface ScanChange {
  readonly scanId: string;
  readonly newFindings: number;
  readonly changedFindings: number;
}

interface MergedFrame {
  readonly duplicates: readonly DuplicateRecord[];
  readonly scanChanges: readonly ScanChange[];
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

/**
 * SQL expression for the scan of a finding, also if the previous release wrote it and it has not been backfilled yet.
 */
const SCAN_ID = 'coalesce(f.scan_id, finding_scan_id(f.ingestion_id, f.provider_id, f.scan_uid))';

/** The statements that merge a frame's rows, for one layout of `findings`. */
export class FindingMerge {
  readonly hasPreviousLayout: boolean;
  readonly #columns: string;
  readonly #insertNew: string;
  readonly #mergeNewer: string;

  /** `hasPreviousLayout` is whether `findings` has the previous layout. */
  constructor(hasPreviousLayout: boolean) {
    this.hasPreviousLayout = hasPreviousLayout;
    const names = incomingColumns(hasPreviousLayout).map(([name]) => name);
    this.#columns = names.join(', ');
    this.#insertNew = insertNewSql(this.#columns);
    this.#mergeNewer = mergeNewerSql(names);
  }

  /**
   * A temporary table that each connection needs, because PostgreSQL rejects COPY into a table with row level security.
   */
  get createIncoming(): string {
    const columns = incomingColumns(this.hasPreviousLayout).map(([name, type]) => `${name} ${type}`);
    return `create temporary table incoming (${columns.join(', ')}) on commit delete rows`;
  }

  /**
   * Merges a frame's rows (one per finding) into the findings, in the open transaction. The result does not depend on
   * the order in which frames are merged; the migrations document the columns. Returns the duplicates that were
   * dropped and the change of each scan's counts.
   */
  async merge(client: pg.Client, frame: ClaimedFrame, rows: FrameRows): Promise<MergedFrame> {
    if (rows.count === 0) return { duplicates: [], scanChanges: [] };
    await rows.copy((bytes) => copyInto(client, 'incoming', this.#columns, bytes));
    const merged = (await this.#insert(client, frame, rows)) ?? (await this.#mergeKnown(client, frame, rows));
    await linkResources(client, frame, rows.links());
    return merged;
  }

  /** Returns `undefined`, and changes nothing, unless all findings are new. */
  async #insert(
    client: pg.Client,
    { tenantId, ingestionId, number }: ClaimedFrame,
    rows: FrameRows,
  ): Promise<MergedFrame | undefined> {
    const inserted = await insertIfAllNew(client, () =>
      client.query(this.#insertNew, [tenantId, ingestionId, number, sampleOf(rows.ids)]),
    );
    if (inserted?.rowCount !== rows.count) return undefined;
    await insertChanges(client, tenantId, rows.counts());
    return { duplicates: [], scanChanges: rows.scanChanges() };
  }

  async #mergeKnown(
    client: pg.Client,
    { tenantId, ingestionId, number }: ClaimedFrame,
    rows: FrameRows,
  ): Promise<MergedFrame> {
    const frame = [tenantId, ingestionId, number];
    const newer = onlyRow(await client.query<MergedNewer>(this.#mergeNewer, frame));
    const { count, replaced, scanChanges } = newer;
    const withUid = (duplicate: ReplacedRecord) => ({ ...duplicate, uid: rows.uidOf(duplicate.id) });
    const duplicates = replaced.map(withUid);
    if (count === rows.count) return { duplicates, scanChanges };
    const { dropped } = onlyRow(await client.query<MergedOlder>(MERGE_OLDER, frame));
    return { duplicates: [...duplicates, ...dropped.map(withUid)], scanChanges };
  }
}

type ReplacedRecord = Omit<DuplicateRecord, 'uid'> & { readonly id: string };

interface MergedNewer {
  readonly count: number;
  readonly replaced: readonly ReplacedRecord[];
  readonly scanChanges: readonly ScanChange[];
}

interface MergedOlder {
  readonly dropped: readonly ReplacedRecord[];
}

/**
 * Inserts the frame's findings if none of the findings in a sample ($4) exists yet. Most frames contain either only new
 * findings or only findings of the previous scan. Looking up each row twice, as `on conflict` does, takes a sixth of
 * the merge time.
 */
function insertNewSql(columns: string): string {
  return `
  insert into findings (tenant_id, ingestion_id, frame, ${columns})
  select $1, $2, $3, ${columns} from incoming
  where not exists (select from findings where tenant_id = $1 and id = any ($4::uuid[]))`;
}

/** The columns that do not simply come from the newer of two records. */
const COMBINED = new Set(['id', 'provider_id', 'first_seen_at', 'status_changed_at', 'other_status_at']);

/**
 * Inserts new findings and updates those for which this frame has the newer record. Of two records, the one with the
 * later time wins; ties are broken by the later upload, the more severe result, and the later position in the file.
 * Rows are locked in the order of their ids, so that two frames never deadlock. The generated column `delta` compares
 * `previous_status` with the status: new, changed or unchanged.
 */
function mergeNewerSql(names: readonly string[]): string {
  const replaced = [...names.filter((name) => !COMBINED.has(name)), 'ingestion_id', 'frame'];
  return withChanges(
    `
    insert into findings as f (tenant_id, ingestion_id, frame, ${names.join(', ')})
    select $1, $2, $3, ${names.join(', ')} from incoming
    on conflict (tenant_id, id) do update set
      ${replaced.map((name) => `${name} = excluded.${name}`).join(', ')},
      first_seen_at = least(f.first_seen_at, excluded.first_seen_at),
      status_changed_at = ${heldSinceAfter('excluded', 'f')},
      other_status_at = ${latestOther('excluded', 'f')},
      previous_status = ${previous('previous_status', 'status')},
      previous_seen_at = ${previous('previous_seen_at', 'last_seen_at')},
      previous_ingestion_id = ${previous('previous_ingestion_id', 'ingestion_id')},
      counted_as = null,
      replaced_code = ${PREVIOUS_COUNT_CODE},
      replaced_facet = case when f.facet_key <> excluded.facet_key then f.facet_key end,
      replaced = case when f.ingestion_id = excluded.ingestion_id then jsonb_build_object(
        'isDuplicate', f.last_seen_at = excluded.last_seen_at, 'frame', f.frame, 'offset', f.record_offset,
        'recordIndex', f.record_index, 'scanId', ${SCAN_ID}, 'delta', coalesce(f.counted_as, f.delta)) end
    where (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)
      < (excluded.last_seen_at, excluded.ingestion_id, ${rankSql('excluded')}, excluded.record_index)
    returning ${MERGED_COLUMNS}, f.replaced`,
    `, scan_changes as (
      select scan_id, sum(new) as new, sum(changed) as changed from (
        select scan_id, (delta = 'new')::int as new, (delta = 'changed')::int as changed from merged
        union all
        select (replaced ->> 'scanId')::uuid, -(replaced ->> 'delta' = 'new')::int, -(replaced ->> 'delta' = 'changed')::int
        from merged where replaced ->> 'scanId' is not null
      ) as counted group by scan_id having sum(new) <> 0 or sum(changed) <> 0
    )
    select count(*)::int as count,
      coalesce(jsonb_agg(replaced || jsonb_build_object('id', id, 'kept', record_index))
        filter (where (replaced -> 'isDuplicate')::boolean), '[]') as replaced,
      (select coalesce(jsonb_agg(jsonb_build_object('scanId', scan_id, 'newFindings', new, 'changedFindings', changed)), '[]')
       from scan_changes) as "scanChanges"
    from merged`,
  );
}

/**
 * Updates findings for which this frame has an older record. Their state is unchanged, but they were seen earlier, may
 * have had their status for longer, and may have had another status before. `mergeNewerSql` has already locked these
 * rows.
 */
const MERGE_OLDER = withChanges(
  `
  update findings f set
    first_seen_at = least(f.first_seen_at, i.first_seen_at),
    status_changed_at = ${heldSinceAfter('f', 'i')},
    other_status_at = ${latestOther('f', 'i')},
    previous_status = case when ${IS_PREVIOUS} then i.status else f.previous_status end,
    previous_seen_at = case when ${IS_PREVIOUS} then i.last_seen_at else f.previous_seen_at end,
    previous_ingestion_id = case when ${IS_PREVIOUS} then $2::uuid else f.previous_ingestion_id end,
    counted_as = case when ${IS_PREVIOUS} then coalesce(f.counted_as, f.delta) else f.counted_as end,
    replaced_code = ${PREVIOUS_COUNT_CODE},
    replaced_facet = null
  from incoming i
  where f.tenant_id = $1 and f.id = i.id
    and (i.last_seen_at, $2::uuid, ${rankSql('i')}, i.record_index)
      < (f.last_seen_at, f.ingestion_id, ${rankSql('f')}, f.record_index)
  returning ${MERGED_COLUMNS}, f.ingestion_id, f.last_seen_at, i.record_offset as dropped_offset, i.record_index as dropped_index, i.last_seen_at as dropped_at`,
  `
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'frame', $3::int, 'offset', dropped_offset,
      'recordIndex', dropped_index, 'kept', record_index))
    filter (where ingestion_id = $2 and last_seen_at = dropped_at), '[]') as dropped
  from merged`,
);
