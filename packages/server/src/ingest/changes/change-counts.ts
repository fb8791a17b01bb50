import { SEVERITIES, type SeverityName, severityId } from '@sluice/ocsf';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { Queryable } from '../../db/transaction.ts';
import { FINDING_CHANGES, type FindingChange, isFailing, severityOf } from './finding-state.ts';

// The column `change_counts` of scans and ingestions is an array with the number of findings for each change, for each of
// failing and other findings, and for each severity.

/** Number of elements of `change_counts`; migrations 0044 and 0045 contain it, too. */
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

  /** Adds the changes to scans and uploads, in the open transaction. */
  async store(client: Queryable, tenantId: string): Promise<void> {
    const scans = this.#changed();
    if (scans.length === 0) return;
    const byIngestion = Map.groupBy(scans, ({ ingestionId }) => ingestionId);
    const scanIds = scans.map(({ scanId }) => scanId);
    const locked = await lockCounts(client, tenantId, {
      ingestions: [...byIngestion.keys()],
      scans: scanIds,
    });
    const { ingestions: ofIngestions, scans: ofScans } = locked;
    const newOfScans = scans.flatMap(({ scanId, ingestionId, counts }) => {
      const known = ofScans.get(scanId);
      if (known === undefined) return [];
      // If the counts of the upload are unknown, those of its scans are, too.
      return [{ id: scanId, counts: ofIngestions.has(ingestionId) ? sumOf([known, counts]) : null }];
    });
    const newOfIngestions = Array.from(ofIngestions, ([id, known]) => {
      const added = (byIngestion.get(id) ?? []).map(({ counts }) => counts);
      return { id, counts: sumOf([known, ...added]) };
    });
    await client.query(SET_COUNTS, [tenantId, jsonOf(newOfIngestions), jsonOf(newOfScans)]);
  }

  #changed(): readonly ScanCounts[] {
    return [...this.#scans.values()].filter(({ counts }) => counts.some((count) => count !== 0));
  }
}

type Counts = readonly number[];

function sumOf(all: readonly Counts[]): Counts {
  const sum = new Array<number>(LENGTH).fill(0);
  for (const counts of all)
    counts.forEach((count, index) => {
      add(sum, index, count);
    });
  return sum;
}

type Table = 'ingestions' | 'scans';

const lockSql = (table: Table, ids: string) => `
    select '${table}' as "table", id, array_to_json(change_counts)::text as counts from ${table}
    where tenant_id = $1 and id = any(${ids}::uuid[]) order by id for no key update`;

/**
 * Locks uploads and then scans, each in the order of their ids, so that two transactions never deadlock. Returns the counts as
 * text, because the driver is slow at reading arrays.
 */
const LOCK_COUNTS = `
  with ingestions as materialized (${lockSql('ingestions', '$2')}
  ), scans as materialized (${lockSql('scans', '$3')}
  )
  select * from ingestions union all select * from scans`;

/** Locks the rows, and returns those counts that are known. */
async function lockCounts(
  client: Queryable,
  tenantId: string,
  ids: Readonly<Record<Table, readonly string[]>>,
): Promise<Readonly<Record<Table, ReadonlyMap<string, Counts>>>> {
  const values = [tenantId, ids.ingestions, ids.scans];
  const { rows } = await client.query<{ table: Table; id: string; counts: string | null }>(
    LOCK_COUNTS,
    values,
  );
  const of = (wanted: Table) =>
    new Map(
      rows.flatMap(({ table, id, counts }) =>
        table === wanted && counts !== null ? [[id, JSON.parse(counts)]] : [],
      ),
    );
  return { ingestions: of('ingestions'), scans: of('scans') };
}

const setSql = (table: Table, counts: string) => `
    update ${table} t set change_counts = w.counts
    from json_to_recordset(${counts}::json) as w (id uuid, counts integer[]) where t.tenant_id = $1 and t.id = w.id`;

const SET_COUNTS = `with uploads as (${setSql('ingestions', '$2')}
  )${setSql('scans', '$3')}`;

function jsonOf(rows: readonly { readonly id: string; readonly counts: Counts | null }[]): string {
  // PostgreSQL reads an array faster in its own notation than as a JSON array.
  return JSON.stringify(rows.map(({ id, counts }) => ({ id, counts: counts && arrayLiteral(counts) })));
}
