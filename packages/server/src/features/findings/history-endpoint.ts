import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { READ_FINDINGS } from '../../auth/permissions.ts';
import type { PageSource } from '../../db/paging/page-statement.ts';
import { selectPage } from '../../db/paging/select-page.ts';
import { TENANT } from '../../db/tenant-parameter.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { resourceNotFound } from '../../http/endpoints/resource-type.ts';
import {
  type FindingChange,
  isMuted,
  isResolved,
  severityOf,
  statusOf,
} from '../../ingest/changes/finding-state.ts';
import { firstScan } from '../../ingest/changes/timelines.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { listResponse } from '../../jsonapi/page.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, listOf, timestamp } from '../../jsonapi/schemas.ts';
import { NIL_UUID } from '../../lib/nil-uuid.ts';
import { STATES } from '../../resources/finding-state.ts';
import { storedSeverity } from '../../resources/stored-severity.ts';
import { STATUSES } from './filters.ts';
import { findFinding } from './repository.ts';
import { FINDING } from './resource.ts';

const FINDING_EVENTS = 'finding-events';

const EVENT_CHANGES = [
  'new',
  'reopened',
  'regressed',
  'fixed',
  'status_changed',
  'muted',
  'unmuted',
  'resolved',
] as const;
type EventChange = (typeof EVENT_CHANGES)[number];

const state = {
  state: z.enum(STATES).meta({ description: 'State of the finding.' }),
  status: z.enum(STATUSES).meta({ description: 'Status of the finding.' }),
  muted: z.boolean().meta({ description: 'Whether the finding is muted.' }),
  severity: z.enum(SEVERITIES).meta({ description: 'Severity of the finding.' }),
};

const findingEvents = describeResource({
  type: FINDING_EVENTS,
  description: 'A change of a finding.',
  id: z.string(),
  attributes: {
    change: z.enum(EVENT_CHANGES).meta({
      description:
        'The first of these that applies: `new` (first record), `reopened`, `regressed` (to FAIL), `fixed` (from FAIL to PASS), `status_changed`, `muted`, `unmuted`; or `resolved`.',
    }),
    occurred_at: timestamp.meta({
      description: 'Time of the record, or the time at which the finding is resolved.',
    }),
    learned_at: timestamp.nullable().meta({
      description:
        'Time at which Sluice processed the change; for the first record, time at which its upload was accepted. `null` if that is unknown.',
    }),
    ...state,
    previous: z
      .strictObject(state)
      .nullable()
      .meta({ description: 'The finding just before the change. `null` for its first record.' }),
  },
  relationships: { ingestion: 'ingestions', scan: 'scans' },
});

interface EventRow {
  /** Null if a user resolved the finding, or if the upload is no longer known. */
  readonly ingestion_id: string | null;
  /** Null as above, or if the job was removed. */
  readonly scan_id: string | null;
  readonly is_resolution: boolean;
  readonly occurred_at: string;
  readonly learned_at: string | null;
  /** `finding_state_code` */
  readonly state: number;
  readonly prior_state: number | null;
  readonly change: FindingChange;
}

/**
 * The rows of `finding_events` that are changes, and the first record, which is not a row unless it was late. If its upload
 * has several records of the finding, the row has the time of the newest one, and the history that of the earliest one.
 */
const HISTORY = `(
  select e.tenant_id, e.finding_id, e.ingestion_id, e.scan_id, e.is_resolution,
    coalesce(case when e.prior_state is null then
      (select first_seen_at from findings where findings.tenant_id = ${TENANT} and findings.id = e.finding_id) end, e.occurred_at) as occurred_at,
    e.learned_at, e.state, e.prior_state, e.change
  from finding_events e
  where e.tenant_id = ${TENANT} and (e.prior_state is null or e.prior_state % 16 <> e.state % 16)
  union all
  select f.tenant_id, f.id, s.ingestion_id, s.id, false, f.first_seen_at, s.inserted_at,
    coalesce((select e.prior_state & ~8::smallint from finding_events e where e.tenant_id = ${TENANT} and e.finding_id = f.id
        order by e.occurred_at, e.is_resolution desc limit 1),
      finding_state_code(f.severity, f.status, f.muted, false)),
    null, 'new'
  from findings f
  cross join lateral (select ${firstScan('f')} as scan_id offset 0) as first
  left join lateral (select id, ingestion_id, inserted_at from scans
    where scans.tenant_id = ${TENANT} and scans.id = first.scan_id offset 0) as s on true
  where f.tenant_id = ${TENANT} and not exists (select from finding_events e
    where e.tenant_id = ${TENANT} and e.finding_id = f.id and e.prior_state is null)
) as history`;

const historyOf = (findingId: string): PageSource => ({
  columns: `history.ingestion_id, history.is_resolution,
    (select id from scans where scans.tenant_id = ${TENANT} and scans.id = history.scan_id) as scan_id, ${utcTimestamp('history.occurred_at')} as occurred_at,
    ${utcTimestamp('history.learned_at')} as learned_at, history.state, history.prior_state, history.change`,
  table: HISTORY,
  tenantColumn: 'history.tenant_id',
  // Of two changes with the same time, the resolution is the earlier one. Tie-breakers have the direction of the sort key.
  tieBreaker: [
    { sql: '(not history.is_resolution)', type: 'boolean', descending: false },
    { sql: `coalesce(history.ingestion_id, '${NIL_UUID}')`, type: 'uuid', descending: false },
  ],
  conditions: [{ sql: (bind) => `history.finding_id = ${bind(findingId)}` }],
});

/** `GET /findings/{id}/history` */
export function historyEndpoint({ publicUrl }: ApiDependencies): Endpoint {
  return {
    method: 'GET',
    path: '/findings/{id}/history',
    resourceType: FINDING,
    operationId: 'listFindingHistory',
    tag: 'Findings',
    summary: "List a finding's changes",
    description:
      'Returns the changes of a finding, by default the newest first, with the upload and the scan that caused them. Records that do not change the finding are not included.',
    access: READ_FINDINGS,
    query: {
      fields: { [FINDING_EVENTS]: findingEvents.attributes },
      filters: {},
      list: {
        sorts: { occurred_at: { sql: 'history.occurred_at', type: 'timestamptz' } },
        defaultSort: '-occurred_at',
      },
    },
    responses: { 200: { description: 'A page of changes.', schema: listOf(findingEvents) } },
    handle: async ({ request, access: { tenantId }, params: { id = '' }, query, read }) => {
      const page = await read(async (client) => {
        if ((await findFinding(client, tenantId, id)) === undefined) throw resourceNotFound(FINDING);
        return await selectPage<EventRow>(client, historyOf(id), tenantId, query);
      });
      const url = publicUrl();
      const data = page.rows.map((row) => eventResource(id, row, url, query.fields.get(FINDING_EVENTS)));
      return listResponse({ data, page, query, request, publicUrl: url });
    },
  };
}

function eventResource(findingId: string, row: EventRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const attributes = {
    change: eventChange(row),
    occurred_at: row.occurred_at,
    learned_at: row.learned_at,
    ...stateAttributes(row.state),
    previous: row.prior_state === null ? null : stateAttributes(row.prior_state),
  };
  const isByUpload = row.scan_id !== null;
  const relation = (type: string, id: string | null) =>
    id === null || !isByUpload
      ? { data: null }
      : { data: { type, id }, links: { related: `${publicUrl}${API_PREFIX}/${type}/${id}` } };
  return {
    type: FINDING_EVENTS,
    id: `${findingId}.${row.ingestion_id ?? 'first'}${row.is_resolution ? '.resolved' : ''}`,
    attributes: selectFields(attributes, fields),
    relationships: {
      ingestion: relation('ingestions', row.ingestion_id),
      scan: relation('scans', row.scan_id),
    },
  };
}

function eventChange({ change, state, prior_state }: EventRow): EventChange {
  if (change !== 'unchanged') return change;
  if (prior_state !== null && statusOf(state) !== statusOf(prior_state)) return 'status_changed';
  return isMuted(state) ? 'muted' : 'unmuted';
}

interface StateAttributes {
  readonly state: (typeof STATES)[number];
  readonly status: (typeof STATUSES)[number];
  readonly muted: boolean;
  readonly severity: string;
}

function stateAttributes(code: number): StateAttributes {
  return {
    state: isResolved(code) ? 'resolved' : 'open',
    status: statusOf(code),
    muted: isMuted(code),
    severity: storedSeverity(severityOf(code)),
  };
}
