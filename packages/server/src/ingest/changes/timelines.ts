import { withHashJoins } from '../../db/planner-settings.ts';
import type { Queryable } from '../../db/transaction.ts';
import { milliseconds } from '../../db/utc-timestamp.ts';
import { stateSql } from './finding-state.ts';
import type { Timeline, TimelinePoint } from './place-record.ts';

/** The timelines of findings by their ids without hyphens. */
export type Timelines = ReadonlyMap<string, Timeline>;

/** SQL for the scan of the finding's earliest record; null if an earlier release processed it. */
export const firstScan = (finding: string) =>
  `coalesce(${finding}.first_scan_id, case when ${finding}.delta = 'new' then ${finding}.scan_id end)`;

/** A row of `timelinesSql`. Times are in milliseconds since 1970. */
interface TimelineRow {
  /** Without hyphens. */
  readonly id: string;
  readonly ingestionId: string;
  readonly scanId: string;
  readonly lastSeenAt: number;
  readonly state: number;
  readonly priorState: number | null;
  readonly firstSeenAt: number;
  /** Null if an earlier release processed the upload. */
  readonly firstScanId: string | null;
  readonly firstIngestionId: string | null;
  /** Null if no upload was accepted before that of the newest record. */
  readonly previousSeenAt: number | null;
  /** `isResolution`, `occurredAt`, `ingestionId`, `scanId`, `state` and `priorState` of each. */
  readonly events: readonly (readonly [boolean, number, string, string | null, number, number | null])[];
}

/**
 * SQL for the timelines of the findings with the ids of rows `i` that fulfill a condition, for `queryTimelines`. `ids` is the
 * parameter with these ids: as long as PostgreSQL expects that a tenant has few findings, it would read all of them for each
 * row. With the ids, it reads them at most once. The lateral joins use indexes even if nested loops are off. The first scan
 * is computed before it is looked up, because row level security allows no index for an expression with functions that are
 * not leakproof. PostgreSQL needs three times as long for events as `jsonb` objects.
 */
export function timelinesSql(rows: string, ids: string, condition: string): string {
  return `
  select replace(f.id::text, '-', '') as id, f.ingestion_id as "ingestionId", f.scan_id as "scanId",
    ${milliseconds('f.last_seen_at')} as "lastSeenAt", ${stateSql('f', 'false')} as state, f.prior_state as "priorState",
    ${milliseconds('f.first_seen_at')} as "firstSeenAt", first.scan_id as "firstScanId", first.ingestion_id as "firstIngestionId",
    ${milliseconds('f.previous_seen_at')} as "previousSeenAt",
    (select coalesce(json_agg(json_build_array(e.is_resolution, ${milliseconds('e.occurred_at')}, e.ingestion_id, e.scan_id,
        e.state, e.prior_state)), '[]')
     from finding_events e where e.tenant_id = $1 and e.finding_id = f.id) as events
  from ${rows} i
  join (select * from findings where tenant_id = $1 and id = any(${ids}::uuid[]) offset 0) as f on f.id = i.id
  left join lateral (
    select s.id as scan_id, s.ingestion_id
    from (select ${firstScan('f')} as id offset 0) as first
    cross join lateral (select * from scans where tenant_id = $1 and id = first.id offset 0) as s
  ) as first on true
  where ${condition}`;
}

const TIMELINES = timelinesSql('(select unnest($2::uuid[]) as id)', '$2', 'true');

/** Returns the timelines of the findings with these ids, with or without hyphens. */
export async function readTimelines(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<Timelines> {
  if (ids.length === 0) return new Map();
  return await queryTimelines(client, TIMELINES, [tenantId, ids]);
}

/** Returns the timelines of a statement of `timelinesSql`. */
export async function queryTimelines(
  client: Queryable,
  text: string,
  values: readonly unknown[],
): Promise<Timelines> {
  const { rows } = await withHashJoins(client, () => client.query<TimelineRow>(text, [...values]));
  return new Map(rows.map((row) => [row.id, timelineOf(row)]));
}

function timelineOf(row: TimelineRow): Timeline {
  return {
    events: row.events.map(eventOf),
    newest: {
      isResolution: false,
      occurredAt: row.lastSeenAt,
      ingestionId: row.ingestionId,
      scanId: row.scanId,
      state: row.state,
      priorState: row.priorState,
    },
    first: { occurredAt: row.firstSeenAt, ingestionId: row.firstIngestionId, scanId: row.firstScanId },
    previousAt: row.previousSeenAt,
  };
}

const eventOf = ([
  isResolution,
  occurredAt,
  ingestionId,
  scanId,
  state,
  priorState,
]: TimelineRow['events'][number]): TimelinePoint => ({
  isResolution,
  occurredAt,
  ingestionId,
  scanId,
  state,
  priorState,
});
