import { SEVERITIES, severityId } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import { MAX_LISTED_FINDINGS } from '../../webhooks/event-limits.ts';
import type { EventData } from '../../webhooks/event-types.ts';
import { findSubscribers, recordEvents, type Subscriber } from '../../webhooks/record-events.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { type CountsByChange, readChangeCounts } from './change-counts.ts';

const TYPE = 'scan.changed';
type ScanData = EventData<typeof TYPE>;
type ListedFinding = ScanData['worst'][number];

/** The changes that an event reports. */
const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'resolved'] as const;

interface ScanRow extends Pick<ScanData, 'id' | 'uid' | 'provider' | 'ended_at'> {
  readonly change_counts: readonly number[];
  /** When the job ended. */
  readonly completed_at: string;
}

/**
 * Records an event for each scan of a job that changed findings, in the transaction that ends the job, after the counts
 * have been stored. `publicUrl` is the base URL for links, if it is known.
 */
export async function recordScanChanges(
  client: Queryable,
  { tenantId, ingestionId }: Pick<ClaimedFrame, 'tenantId' | 'ingestionId'>,
  publicUrl: string | undefined,
): Promise<void> {
  const subscribers = await findSubscribers(client, tenantId, [TYPE]);
  if (subscribers.length === 0) return;
  const scans = await findScans(client, tenantId, ingestionId);
  const worst = await findWorst(client, tenantId, ingestionId);
  const links = (type: string, id: string, page: string) =>
    publicUrl === undefined
      ? {}
      : { links: { self: `${publicUrl}${API_PREFIX}/${type}/${id}`, console: `${publicUrl}${page}` } };
  const eventOf = ({ change_counts, completed_at, ...scan }: ScanRow) => {
    const counts = readChangeCounts(change_counts);
    const data: ScanData = {
      ...scan,
      ingestion_id: ingestionId,
      ...countsOf(counts),
      worst: (worst.get(scan.id) ?? []).map((finding) => ({
        ...finding,
        ...links('findings', finding.id, `/findings?finding=${finding.id}`),
      })),
      ...links('scans', scan.id, `/scans/${scan.id}`),
    };
    const receivers = subscribers.filter((subscriber) => receives(subscriber, scan.provider.id, counts));
    return { time: completed_at, data, subscribers: receivers };
  };
  await recordEvents(client, tenantId, TYPE, scans.map(eventOf));
}

/** Whether the scan changed findings of a provider and of severities that the webhook receives. */
function receives(
  { providerIds, severities }: Subscriber,
  providerId: string,
  counts: CountsByChange,
): boolean {
  if (providerIds !== null && !providerIds.includes(providerId)) return false;
  return SEVERITIES.some(
    (severity) =>
      (severities === null || severities.includes(severity)) &&
      CHANGES.some((change) => counts.of(change, severity) > 0),
  );
}

function countsOf(counts: CountsByChange): Pick<ScanData, (typeof CHANGES)[number]> {
  const of = (change: (typeof CHANGES)[number]) =>
    Object.fromEntries(
      SEVERITIES.map((severity) => [severity, counts.of(change, severity)]),
    ) as ScanData['new'];
  return {
    new: of('new'),
    reopened: of('reopened'),
    regressed: of('regressed'),
    fixed: of('fixed'),
    resolved: of('resolved'),
  };
}

async function findScans(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<readonly ScanRow[]> {
  const { rows } = await client.query<ScanRow>(
    `select s.id, s.uid, ${utcTimestamp('s.ended_at')} as ended_at, s.change_counts,
       ${utcTimestamp('i.completed_at')} as completed_at,
       jsonb_build_object('id', p.id, 'type', p.type, 'account', p.account, 'name', p.name) as provider
     from scans s join providers p on p.tenant_id = $1 and p.id = s.provider_id
       join ingestions i on i.tenant_id = $1 and i.id = s.ingestion_id
     where s.tenant_id = $1 and s.ingestion_id = $2 and s.change_counts is not null order by s.id`,
    [tenantId, ingestionId],
  );
  return rows;
}

interface WorstFinding extends Omit<ListedFinding, 'resource' | 'severity' | 'links'> {
  readonly scan_id: string;
  readonly severity: number;
  readonly resource_uid: string | null;
  readonly resource_name: string | null;
}

/** The worst findings of each scan, whose records are still their newest ones. Reads the findings of the upload once. */
const WORST = `
  select f.id, f.scan_id, f.severity, c.check_id, c.title as check_title, r.uid as resource_uid, r.name as resource_name,
    case when f.prior_state is null then 'new' when f.prior_state & 8 <> 0 then 'reopened' else 'regressed' end as change
  from (
    select id, scan_id, severity, check_key, resource_key, prior_state,
      row_number() over (partition by scan_id order by severity desc, id) as place
    from findings
    where tenant_id = $1 and ingestion_id = $2 and status = 'FAIL' and not muted and resolved_at is null
      and (prior_state is null or prior_state & 8 <> 0 or prior_state & 3 <> 1)
  ) as f
  left join lateral (select ${briefText('check_id')} as check_id, ${briefText('title')} as title from checks where tenant_id = $1 and key = f.check_key offset 0) as c on true
  left join lateral (select ${briefText('uid')} as uid, ${briefText('name')} as name from resources where tenant_id = $1 and key = f.resource_key offset 0) as r on true
  where f.place <= ${MAX_LISTED_FINDINGS} order by f.scan_id, f.place`;

async function findWorst(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<ReadonlyMap<string, readonly Omit<ListedFinding, 'links'>[]>> {
  const { rows } = await client.query<WorstFinding>(WORST, [tenantId, ingestionId]);
  const findings = rows.map(({ scan_id, severity, resource_uid, resource_name, ...finding }) => ({
    scan_id,
    finding: {
      ...finding,
      severity: SEVERITIES.find((name) => severityId(name) === severity) ?? String(severity),
      resource: { uid: resource_uid, name: resource_name },
    },
  }));
  const byScan = Map.groupBy(findings, ({ scan_id }) => scan_id);
  return new Map(Array.from(byScan, ([scanId, group]) => [scanId, group.map(({ finding }) => finding)]));
}
