import { arrayLiteral } from '../../db/array-literal.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { ClaimedFrame } from '../worker/claim.ts';

/** A finding that a record reports, and the scan of the record. */
export interface ScanFinding {
  readonly findingId: string;
  readonly scanId: string;
}

/** An unchanged finding. */
export interface UnchangedFinding extends ScanFinding {
  /** `finding_state_code` */
  readonly state: number;
}

/** Which findings the records of a frame report, in which scans. Kept as columns, because garbage takes time. */
export class FrameFindings {
  readonly #scans = new Map<string, number>();
  /** The findings without an event, except new ones. */
  readonly #unchanged = { ids: [] as string[], scans: [] as number[], states: [] as number[] };
  readonly #others = { ids: [] as string[], scans: [] as number[] };

  addUnchanged(findingId: string, scanId: string, state: number): void {
    this.#unchanged.ids.push(findingId);
    this.#unchanged.scans.push(this.#numberOf(scanId));
    this.#unchanged.states.push(state);
  }

  /** Adds a finding that is new or has an event. */
  add(findingId: string, scanId: string): void {
    this.#others.ids.push(findingId);
    this.#others.scans.push(this.#numberOf(scanId));
  }

  async store(client: Queryable, { tenantId, ingestionId, number }: ClaimedFrame): Promise<void> {
    const [unchanged, others] = [this.#unchanged, this.#others];
    const columns = {
      scan_ids: arrayLiteral([...this.#scans.keys()]),
      finding_ids: arrayLiteral([...unchanged.ids, ...others.ids]),
      scan_numbers: arrayLiteral([...unchanged.scans, ...others.scans]),
      unchanged_states: arrayLiteral(unchanged.states),
    };
    // The coordinator of a cluster would parse and write parameters that are arrays.
    await client.query(
      `insert into scan_findings (tenant_id, ingestion_id, frame, scan_ids, finding_ids, scan_numbers, unchanged_states)
       select i.tenant_id, i.id, $3, w.* from ingestions i
       cross join json_to_recordset($4::json)
         as w (scan_ids uuid[], finding_ids uuid[], scan_numbers smallint[], unchanged_states smallint[])
       where i.tenant_id = $1 and i.id = $2`,
      [tenantId, ingestionId, number, JSON.stringify([columns])],
    );
  }

  /** The number of a scan, from 1. */
  #numberOf(scanId: string): number {
    const known = this.#scans.get(scanId);
    if (known !== undefined) return known;
    const number = this.#scans.size + 1;
    this.#scans.set(scanId, number);
    return number;
  }
}

/** Returns those of the findings that other frames of the upload have reported as unchanged. Ids have no hyphens. */
export async function findUnchanged(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  findingIds: readonly string[],
): Promise<readonly UnchangedFinding[]> {
  const { rows } = await client.query<UnchangedFinding>(
    `select replace(u.id::text, '-', '') as "findingId", s.scan_ids[u.number] as "scanId", u.state from scan_findings s
     cross join lateral unnest(s.finding_ids[:cardinality(s.unchanged_states)], s.scan_numbers, s.unchanged_states)
       as u (id, number, state)
     where s.tenant_id = $1 and s.ingestion_id = $2 and u.number > 0 and u.id = any($3::uuid[])`,
    [tenantId, ingestionId, findingIds],
  );
  return rows;
}

/** A finding whose record another record of the same upload replaces. */
interface ReplacedFinding extends ScanFinding {
  readonly frame: number;
}

/** The frames of the upload that have reported these findings in these scans. */
export async function findScanFindings(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  findings: readonly ScanFinding[],
): Promise<readonly ReplacedFinding[]> {
  if (findings.length === 0) return [];
  const { rows } = await client.query<ReplacedFinding>(
    `select u.id as "findingId", w.scan_id as "scanId", s.frame from scan_findings s
     cross join lateral unnest(s.finding_ids, s.scan_numbers) as u (id, number)
     join unnest((select $3::uuid[]), (select $4::uuid[])) as w (id, scan_id)
       on w.id = u.id and w.scan_id = s.scan_ids[u.number]
     where s.tenant_id = $1 and s.ingestion_id = $2`,
    [tenantId, ingestionId, findings.map(({ findingId }) => findingId), findings.map(({ scanId }) => scanId)],
  );
  return rows;
}

/** Removes findings from the scans of other frames of an upload, because other records have replaced theirs. */
export async function removeScanFindings(
  client: Queryable,
  { tenantId, ingestionId }: ClaimedFrame,
  findings: readonly ReplacedFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  // Locked in this order by all frames of the upload.
  const frames = [...new Set(findings.map(({ frame }) => frame))].sort((a, b) => a - b);
  await client.query(
    `select from scan_findings where tenant_id = $1 and ingestion_id = $2 and frame = any($3::integer[])
     order by frame for no key update`,
    [tenantId, ingestionId, frames],
  );
  await client.query(
    `update scan_findings s set scan_numbers = (
       select array_agg(case when exists (
           select from unnest($4::integer[], $5::uuid[]) as w (frame, id) where w.frame = s.frame and w.id = u.id
         ) then 0 else u.number end order by u.place)
       from unnest(s.finding_ids, s.scan_numbers) with ordinality as u (id, number, place))
     where s.tenant_id = $1 and s.ingestion_id = $2 and s.frame = any($3::integer[])`,
    [
      tenantId,
      ingestionId,
      frames,
      findings.map(({ frame }) => frame),
      findings.map(({ findingId }) => findingId),
    ],
  );
}
