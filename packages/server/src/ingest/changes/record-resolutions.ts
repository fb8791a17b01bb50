import type { Queryable } from '../../db/transaction.ts';
import type { ChangeCounts } from './change-counts.ts';
import { insertEvents } from './finding-events.ts';
import { resolved } from './finding-state.ts';

/** A finding that a coverage has resolved. Times are in milliseconds since 1970. */
export interface ResolvedFinding {
  readonly id: string;
  readonly providerId: string;
  /** The upload, or the id of a user's coverage. */
  readonly coverageId: string;
  readonly resolvedAt: number;
  /** The `finding_state_code` of the finding while it was open. */
  readonly state: number;
  /** The coverage that had resolved the finding before, if any; `oldBy` is null if it was that of a user. */
  readonly oldTime: number | null;
  readonly oldBy: string | null;
}

/**
 * Records that findings were resolved, in the open transaction: their events, and the counts of the scans, which are not
 * stored yet. An earlier coverage than the known one takes its place.
 */
export async function recordResolutions(
  client: Queryable,
  tenantId: string,
  findings: readonly ResolvedFinding[],
  counts: ChangeCounts,
): Promise<void> {
  if (findings.length === 0) return;
  for (const { scanId, ingestionId, state } of await deleteFormer(client, tenantId, findings))
    if (scanId !== null) counts.add({ scanId, ingestionId }, 'resolved', state, -1);
  const scans = await findScans(client, tenantId, findings);
  const scanOf = ({ coverageId, providerId }: ResolvedFinding) =>
    scans.get(`${coverageId} ${providerId}`) ?? null;
  const inserted = await insertEvents(
    client,
    tenantId,
    findings.map((finding) => ({
      findingId: finding.id,
      ingestionId: finding.coverageId,
      isResolution: true,
      scanId: scanOf(finding),
      occurredAt: finding.resolvedAt,
      state: resolved(finding.state),
      priorState: finding.state,
      change: 'resolved',
    })),
  );
  const insertedKeys = new Set(inserted.map(({ findingId, ingestionId }) => `${findingId} ${ingestionId}`));
  const isNew = ({ id, coverageId }: ResolvedFinding) => insertedKeys.has(`${id} ${coverageId}`);
  for (const finding of findings) {
    const scanId = scanOf(finding);
    if (scanId !== null && isNew(finding))
      counts.add({ scanId, ingestionId: finding.coverageId }, 'resolved', finding.state, 1);
  }
  // The coverage had resolved them before a later record was processed.
  const known = findings.filter((finding) => !isNew(finding));
  await alterResolutions(
    client,
    tenantId,
    known.map(({ id, coverageId, state }) => ({ findingId: id, coverageId, state })),
    counts,
  );
}

/** A resolution that resolved another state of its finding than before. */
export interface AlteredResolution {
  readonly findingId: string;
  /** Of the coverage; null if it is the latest resolution of the finding. */
  readonly coverageId: string | null;
  /** `finding_state_code` */
  readonly state: number;
}

/** Changes the states that resolutions resolved, in the open transaction. */
export async function alterResolutions(
  client: Queryable,
  tenantId: string,
  resolutions: readonly AlteredResolution[],
  counts: ChangeCounts,
): Promise<void> {
  if (resolutions.length === 0) return;
  const { rows } = await client.query<DeletedResolution & { readonly newState: number }>(
    `update finding_events e set prior_state = w.state, state = w.state | 8
     from (
       select w.id, w.state, l.ingestion_id, l.prior_state
       from unnest((select $2::uuid[]), (select $3::uuid[]), (select $4::smallint[])) as w (id, coverage_id, state)
       cross join lateral (
         select ingestion_id, prior_state from finding_events
         where tenant_id = $1 and finding_id = w.id and is_resolution
           and (w.coverage_id is null or ingestion_id = w.coverage_id)
         order by occurred_at desc limit 1) as l
     ) as w
     where e.tenant_id = $1 and e.finding_id = w.id and e.ingestion_id = w.ingestion_id and e.is_resolution
       and e.prior_state <> w.state
     returning e.scan_id as "scanId", e.ingestion_id as "ingestionId", w.prior_state as state, w.state as "newState"`,
    [
      tenantId,
      resolutions.map(({ findingId }) => findingId),
      resolutions.map(({ coverageId }) => coverageId),
      resolutions.map(({ state }) => state),
    ],
  );
  for (const { scanId, ingestionId, state, newState } of rows) {
    if (scanId === null) continue;
    counts.add({ scanId, ingestionId }, 'resolved', state, -1);
    counts.add({ scanId, ingestionId }, 'resolved', newState, 1);
  }
}

interface DeletedResolution {
  readonly scanId: string | null;
  readonly ingestionId: string;
  readonly state: number;
}

/** Deletes the events of former resolutions, and returns them. */
async function deleteFormer(
  client: Queryable,
  tenantId: string,
  findings: readonly ResolvedFinding[],
): Promise<readonly DeletedResolution[]> {
  const former = findings.filter(
    ({ oldTime, oldBy, coverageId }) => oldTime !== null && oldBy !== coverageId,
  );
  if (former.length === 0) return [];
  const { rows } = await client.query<DeletedResolution>(
    `delete from finding_events e
     using unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[])) as w (finding_id, time, ingestion_id)
     where e.tenant_id = $1 and e.finding_id = w.finding_id and e.is_resolution and e.occurred_at = w.time
       and (e.ingestion_id = w.ingestion_id or w.ingestion_id is null and e.scan_id is null)
     returning e.scan_id as "scanId", e.ingestion_id as "ingestionId", e.prior_state as state`,
    [
      tenantId,
      former.map(({ id }) => id),
      former.map(({ oldTime }) => new Date(oldTime ?? 0).toISOString()),
      former.map(({ oldBy }) => oldBy),
    ],
  );
  return rows;
}

/**
 * The scan of each upload and provider, by their ids. If an upload has several of one provider, the last one counts the
 * resolved findings.
 */
async function findScans(
  client: Queryable,
  tenantId: string,
  findings: readonly ResolvedFinding[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; ingestion_id: string; provider_id: string }>(
    `select distinct on (ingestion_id, provider_id) id, ingestion_id, provider_id from scans
     where tenant_id = $1 and ingestion_id = any($2::uuid[]) and provider_id = any($3::uuid[])
     order by ingestion_id, provider_id, ended_at desc, id`,
    [
      tenantId,
      [...new Set(findings.map(({ coverageId }) => coverageId))],
      [...new Set(findings.map(({ providerId }) => providerId))],
    ],
  );
  return new Map(rows.map(({ id, ingestion_id, provider_id }) => [`${ingestion_id} ${provider_id}`, id]));
}
