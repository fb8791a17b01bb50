import { arrayLiteral } from '../../db/array-literal.ts';
import { isDistributed } from '../../db/distribution.ts';
import type { Queryable } from '../../db/transaction.ts';
import { uuidArray } from '../../db/uuid-array.ts';
import { hexOf } from '../merge/copy-writer.ts';
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

const insertSql = (columns: string) => `
  insert into scan_findings (tenant_id, ingestion_id, frame, finding_ids, scan_ids, scan_numbers, unchanged_states)
  select i.tenant_id, i.id, $3, w.* from ingestions i cross join (${columns}) as w
  where i.tenant_id = $1 and i.id = $2`;

const INSERT = insertSql('values ($4::uuid[], $5::uuid[], $6::smallint[], $7::smallint[])');
/** For a cluster, whose coordinator would parse and write parameters that are arrays. */
const INSERT_JSON = insertSql(`select * from json_to_recordset($4::json)
    as r (finding_ids uuid[], scan_ids uuid[], scan_numbers smallint[], unchanged_states smallint[])`);

/** Which findings the records of a frame report, in which scans. Kept as columns, because garbage takes time. */
export class ReportedFindings {
  readonly #scans = new Map<string, number>();
  /** The findings without an event, except new ones. */
  readonly #unchanged = { ids: [] as string[], scans: [] as number[], states: [] as number[] };
  readonly #others = { ids: [] as string[], scans: [] as number[] };

  /** `id` is that of the finding, with one character per byte. */
  addUnchanged(id: string, scanId: string, state: number): void {
    this.#unchanged.ids.push(id);
    this.#unchanged.scans.push(this.#numberOf(scanId));
    this.#unchanged.states.push(state);
  }

  /** Adds a finding that is new or has an event. */
  add(id: string, scanId: string): void {
    this.#others.ids.push(id);
    this.#others.scans.push(this.#numberOf(scanId));
  }

  async store(client: Queryable, { tenantId, ingestionId, number }: ClaimedFrame): Promise<void> {
    const [unchanged, others] = [this.#unchanged, this.#others];
    const ids = [...unchanged.ids, ...others.ids];
    const columns = {
      scan_ids: arrayLiteral([...this.#scans.keys()]),
      scan_numbers: arrayLiteral([...unchanged.scans, ...others.scans]),
      unchanged_states: arrayLiteral(unchanged.states),
    };
    const frame = [tenantId, ingestionId, number];
    if (isDistributed(client)) {
      const json = JSON.stringify([{ ...columns, finding_ids: arrayLiteral(ids.map(hexOf)) }]);
      await client.query(INSERT_JSON, [...frame, json]);
    } else await client.query(INSERT, [...frame, uuidArray(ids), ...Object.values(columns)]);
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
