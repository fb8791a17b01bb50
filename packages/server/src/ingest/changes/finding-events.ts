import type { Queryable } from '../../db/transaction.ts';
import type { FindingChange } from './finding-state.ts';

/** A row of `finding_events` (migration 0036). */
export interface FindingEvent {
  /** With or without hyphens. */
  readonly findingId: string;
  /** Of the record, or of the coverage that resolved the finding. */
  readonly ingestionId: string;
  readonly isResolution: boolean;
  /** Null if a user resolved the finding. */
  readonly scanId: string | null;
  /** Time of the record or of the coverage, in milliseconds since 1970. */
  readonly occurredAt: number;
  /** `finding_state_code` */
  readonly state: number;
  readonly priorState: number | null;
  readonly change: FindingChange;
}

const COLUMNS = [
  ['finding_id', 'uuid'],
  ['ingestion_id', 'uuid'],
  ['is_resolution', 'boolean'],
  ['scan_id', 'uuid'],
  ['occurred_at', 'timestamptz'],
  ['state', 'smallint'],
  ['prior_state', 'smallint'],
  ['change', 'text'],
] as const;

const NAMES = COLUMNS.map(([name]) => name).join(', ');

const insertSql = (onConflict: string) => `
  insert into finding_events (tenant_id, ${NAMES})
  select t.tenant_id, w.* from tenants t
  cross join unnest(${COLUMNS.map(([, type], index) => `(select $${index + 2}::${type}[])`).join(', ')}) as w (${NAMES})
  where t.tenant_id = $1
  on conflict (tenant_id, finding_id, ingestion_id, is_resolution) do ${onConflict}`;

const INSERT = insertSql('nothing returning finding_id as "findingId", ingestion_id as "ingestionId"');
const UPSERT = insertSql(
  `update set ${['scan_id', 'occurred_at', 'state', 'prior_state', 'change'].map((name) => `${name} = excluded.${name}`).join(', ')}`,
);

const valuesOf = (tenantId: string, events: readonly FindingEvent[]): unknown[] => [
  tenantId,
  events.map(({ findingId }) => findingId),
  events.map(({ ingestionId }) => ingestionId),
  events.map(({ isResolution }) => isResolution),
  events.map(({ scanId }) => scanId),
  events.map(({ occurredAt }) => new Date(occurredAt).toISOString()),
  events.map(({ state }) => state),
  events.map(({ priorState }) => priorState),
  events.map(({ change }) => change),
];

/** Identifies an event. */
type EventKey = Pick<FindingEvent, 'findingId' | 'ingestionId'>;

/** Inserts events, and returns those that did not exist. */
export async function insertEvents(
  client: Queryable,
  tenantId: string,
  events: readonly FindingEvent[],
): Promise<readonly EventKey[]> {
  if (events.length === 0) return [];
  return (await client.query<EventKey>(INSERT, valuesOf(tenantId, events))).rows;
}

/** Inserts events, and replaces those that exist. */
export async function upsertEvents(
  client: Queryable,
  tenantId: string,
  events: readonly FindingEvent[],
): Promise<void> {
  if (events.length > 0) await client.query(UPSERT, valuesOf(tenantId, events));
}

/** Deletes the events of an upload's records of these findings. */
export async function deleteRecordEvents(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  findingIds: readonly string[],
): Promise<void> {
  if (findingIds.length === 0) return;
  await client.query(
    `delete from finding_events
     where tenant_id = $1 and finding_id = any($3::uuid[]) and ingestion_id = $2 and not is_resolution`,
    [tenantId, ingestionId, findingIds],
  );
}
