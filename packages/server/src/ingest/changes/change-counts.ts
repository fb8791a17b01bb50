import { SEVERITIES, type SeverityName, severityId } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { FINDING_CHANGES, type FindingChange, isFailing, severityOf } from './finding-state.ts';

// The column `change_counts` of scans and ingestions is an array with the number of findings for each change, for each of
// failing and other findings, and for each severity.

/** Number of elements of `change_counts`; migration 0036 contains it, too. */
const LENGTH = FINDING_CHANGES.length * 2 * SEVERITIES.length;

/** Index in `change_counts`, from 0. */
function indexOf(change: FindingChange, failing: boolean, severity: number): number {
  return (FINDING_CHANGES.indexOf(change) * 2 + Number(failing)) * SEVERITIES.length + severity;
}

const SEVERITY_INDEXES: ReadonlyMap<number, number> = new Map(
  SEVERITIES.map((name, index) => [severityId(name), index]),
);

/** Index of a finding that changes to `state` (`finding_state_code`). */
function placeOf(change: FindingChange, state: number): number {
  return indexOf(change, isFailing(state), SEVERITY_INDEXES.get(severityOf(state)) ?? 0);
}

/** Findings with the same change and state. */
export interface ChangedFindings {
  readonly change: FindingChange;
  /** `finding_state_code` */
  readonly state: number;
  readonly count: number;
}

/** The value of `change_counts` for findings. */
export function countChanges(findings: Iterable<ChangedFindings>): readonly number[] {
  const counts = new Array<number>(LENGTH).fill(0);
  for (const { change, state, count } of findings) add(counts, placeOf(change, state), count);
  return counts;
}

function add(counts: number[], index: number, count: number): void {
  counts[index] = (counts[index] ?? 0) + count;
}

/** The numbers of findings by change and severity. */
export interface CountsByChange {
  /** All findings with this change. */
  readonly of: (change: FindingChange, severity: SeverityName) => number;
  /** The findings with this change that fail and are not muted. */
  readonly failing: (change: FindingChange, severity: SeverityName) => number;
}

/** Reads the column `change_counts`. */
export function readChangeCounts(counts: readonly number[]): CountsByChange {
  const count = (change: FindingChange, failing: boolean, severity: SeverityName) =>
    // A negative count would violate the API description, so that no upload could be listed. Tests check the column itself.
    Math.max(0, counts[indexOf(change, failing, SEVERITIES.indexOf(severity))] ?? 0);
  return {
    of: (change, severity) => count(change, false, severity) + count(change, true, severity),
    failing: (change, severity) => count(change, true, severity),
  };
}

/** Locks the rows of uploads in the order of their ids, so that two transactions never deadlock. */
export async function lockIngestions(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(
    'select from ingestions where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update',
    [tenantId, ids],
  );
}

/** A scan, and its upload. */
export interface ScanOfUpload {
  readonly scanId: string;
  readonly ingestionId: string;
}

interface ScanCounts extends ScanOfUpload {
  readonly counts: readonly number[];
}

/** How the counts of scans and of their uploads change. */
export class ChangeCounts {
  readonly #scans = new Map<string, ScanOfUpload & { readonly counts: number[] }>();

  /** Adds to the number of findings that a scan changes to `state`. */
  add({ scanId, ingestionId }: ScanOfUpload, change: FindingChange, state: number, number: 1 | -1): void {
    let scan = this.#scans.get(scanId);
    if (scan === undefined) {
      scan = { scanId, ingestionId, counts: new Array(LENGTH).fill(0) };
      this.#scans.set(scanId, scan);
    }
    add(scan.counts, placeOf(change, state), number);
  }

  /** The uploads whose counts change. */
  get ingestionIds(): readonly string[] {
    return [...new Set(this.#changed().map(({ ingestionId }) => ingestionId))];
  }

  /**
   * Adds the changes to scans and uploads, in the open transaction, which must have locked the uploads
   * (`lockIngestions`). Scans are locked in the order of their ids, so that two transactions never deadlock.
   */
  async store(client: Queryable, tenantId: string): Promise<void> {
    const scans = this.#changed();
    if (scans.length === 0) return;
    const ids = scans.map(({ scanId }) => scanId);
    await client.query(
      'select from scans where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update',
      [tenantId, ids],
    );
    const ofScans = scans.map(({ scanId, counts }) => ({ id: scanId, counts }));
    await client.query(ADD_TO_SCANS, [tenantId, JSON.stringify(ofScans)]);
    const ofIngestions = Array.from(
      Map.groupBy(scans, ({ ingestionId }) => ingestionId),
      ([id, group]) => ({ id, counts: sumOf(group) }),
    );
    await client.query(ADD_TO_INGESTIONS, [tenantId, JSON.stringify(ofIngestions)]);
  }

  #changed(): readonly ScanCounts[] {
    return [...this.#scans.values()].filter(({ counts }) => counts.some((count) => count !== 0));
  }
}

function sumOf(scans: readonly ScanCounts[]): readonly number[] {
  return Array.from({ length: LENGTH }, (_, index) =>
    scans.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0),
  );
}

const addTo = (table: 'scans' | 'ingestions', condition = 'true') => `
  update ${table} t set change_counts = case when ${condition} then (
    select array_agg(u.count + u.added order by u.place)
    from unnest(t.change_counts, w.counts) with ordinality as u (count, added, place)) end
  from jsonb_to_recordset($2::jsonb) as w (id uuid, counts integer[])
  where t.tenant_id = $1 and t.id = w.id and t.change_counts is not null`;

const ADD_TO_INGESTIONS = addTo('ingestions');
/** If the counts of the upload are unknown, those of its scans are, too. */
const ADD_TO_SCANS = addTo(
  'scans',
  'exists (select from ingestions i where i.tenant_id = $1 and i.id = t.ingestion_id and i.change_counts is not null)',
);
