import { type DetectionFinding, SEVERITIES, type SeverityName, severityName } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { derivedId } from '../../lib/derived-id.ts';
import { PairMap } from '../../lib/pair-map.ts';
import type { ClaimedFrame } from '../worker/claim.ts';

/**
 * Derives a scan's id from the upload, the provider, and the scan id in the records (null if the records have none).
 */
export function scanId(ingestionId: string, providerId: string, scanUid: string | null): string {
  return derivedId(ingestionId, providerId, scanUid ?? '');
}

/** The record count columns of a scan. */
export type ScanCount =
  | 'records'
  | 'pass'
  | 'fail'
  | 'manual'
  | 'muted'
  /** Records with the status FAIL that are not muted. */
  | 'failed'
  | `severity_${SeverityName}`
  /** Records with this severity and the status FAIL that are not muted. */
  | `failed_${SeverityName}`;

export const SCAN_COUNTS: readonly ScanCount[] = [
  'records',
  'pass',
  'fail',
  'manual',
  'muted',
  'failed',
  ...SEVERITIES.map((name): ScanCount => `severity_${name}`),
  ...SEVERITIES.map((name): ScanCount => `failed_${name}`),
];

type Counted = Pick<DetectionFinding, 'scanUid' | 'status' | 'muted' | 'severity' | 'time'>;

/** The records of one scan in one frame. */
export interface ScanTally {
  readonly id: string;
  readonly providerId: string;
  readonly uid: string | null;
  readonly counts: ReadonlyMap<ScanCount, number>;
  /** The earliest and the latest record, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
const STATUS_COUNTS = { PASS: 'pass', FAIL: 'fail', MANUAL: 'manual' } as const;

/** Counts the records of one frame by scan. Repeated records of a finding are all counted. */
export class ScanTallies {
  readonly #ingestionId: string;
  /** By provider and scan id in the records; no such id is empty. */
  readonly #tallies = new PairMap<OpenTally>();

  constructor(ingestionId: string) {
    this.#ingestionId = ingestionId;
  }

  /** Counts a record. Returns the id of its scan. */
  add(providerId: string, finding: Counted): string {
    const tally = this.#tallyOf(providerId, finding.scanUid);
    tally.add(finding);
    return tally.id;
  }

  values(): readonly ScanTally[] {
    return [...this.#tallies.values()];
  }

  #tallyOf(providerId: string, uid: string | null): OpenTally {
    const known = this.#tallies.get(providerId, uid ?? '');
    if (known !== undefined) return known;
    const tally = new OpenTally(scanId(this.#ingestionId, providerId, uid), providerId, uid);
    this.#tallies.set(providerId, uid ?? '', tally);
    return tally;
  }
}

/** Counts records by severity, status and muting, with one addition per record; `counts` adds up the groups. */
class OpenTally implements ScanTally {
  readonly id: string;
  readonly providerId: string;
  readonly uid: string | null;
  startedAt = Number.POSITIVE_INFINITY;
  endedAt = Number.NEGATIVE_INFINITY;
  readonly #groups = new Map<number, { readonly of: Counted; records: number }>();

  constructor(id: string, providerId: string, uid: string | null) {
    this.id = id;
    this.providerId = providerId;
    this.uid = uid;
  }

  add(finding: Counted): void {
    const { status, muted, severity, time } = finding;
    const group = (severity * STATUSES.length + STATUSES.indexOf(status)) * 2 + Number(muted);
    const known = this.#groups.get(group);
    if (known === undefined) this.#groups.set(group, { of: finding, records: 1 });
    else known.records++;
    if (time < this.startedAt) this.startedAt = time;
    if (time > this.endedAt) this.endedAt = time;
  }

  get counts(): ReadonlyMap<ScanCount, number> {
    const counts = new Map<ScanCount, number>();
    for (const { of, records } of this.#groups.values())
      for (const name of countsOf(of)) counts.set(name, (counts.get(name) ?? 0) + records);
    return counts;
  }
}

/** The counts to which a record contributes. */
function countsOf({ status, muted, severity }: Counted): readonly ScanCount[] {
  const name = severityName(severity);
  const failed: readonly ScanCount[] = status === 'FAIL' && !muted ? ['failed', `failed_${name}`] : [];
  return [
    'records',
    STATUS_COUNTS[status],
    `severity_${name}`,
    ...(muted ? ['muted' as const] : []),
    ...failed,
  ];
}

const COLUMNS = ['id', 'provider_id', 'uid', 'started_at', 'ended_at', ...SCAN_COUNTS];

const ADD_TO_SCANS = `
  insert into scans as s (tenant_id, ingestion_id, inserted_at, ${COLUMNS.join(', ')})
  select i.tenant_id, i.id, i.inserted_at, ${COLUMNS.map((name) => `w.${name}`).join(', ')}
  from ingestions i cross join jsonb_to_recordset($3::jsonb) as w (id uuid, provider_id uuid, uid text,
    started_at timestamptz, ended_at timestamptz, ${SCAN_COUNTS.map((name) => `${name} bigint`).join(', ')})
  where i.tenant_id = $1 and i.id = $2
  on conflict (tenant_id, id) do update set
    started_at = least(s.started_at, excluded.started_at), ended_at = greatest(s.ended_at, excluded.ended_at),
    ${SCAN_COUNTS.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;

/**
 * Adds a frame to the scans of its upload, after its findings were merged. Call it after the transaction has locked
 * the job's row: the frames of a job share their scans, and that lock serializes them.
 */
export async function updateScans(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  tallies: readonly ScanTally[],
): Promise<void> {
  if (tallies.length === 0) return;
  const rows = tallies.map(({ id, providerId, uid, counts, startedAt, endedAt }) => ({
    id,
    provider_id: providerId,
    uid,
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
    ...Object.fromEntries(SCAN_COUNTS.map((name) => [name, counts.get(name) ?? 0])),
  }));
  await client.query(ADD_TO_SCANS, [tenantId, ingestionId, JSON.stringify(rows)]);
}
