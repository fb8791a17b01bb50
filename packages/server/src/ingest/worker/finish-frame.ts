import { isDistributed } from '../../db/distribution.ts';
import type { Queryable } from '../../db/transaction.ts';
import { lockIngestions } from '../changes/change-counts.ts';
import { DEFAULT_COVERAGE } from '../upload/coverage.ts';
import type { FrameJob } from './claim.ts';
import { coverageWarning, removeCoverageWarning } from './coverage-warning.ts';
import { dequeueFrame, endNumber, releaseReserved } from './frame-queue.ts';
import { MISSING_ATTRIBUTE, type MissingAttributes } from './missing-attributes.ts';

/** An error or a warning of a job. If `recordIndex` is null, the problem concerns the file or a whole frame. */
export interface JobProblem {
  readonly code: string;
  /** Offset of the record in the decompressed file. */
  readonly byteOffset: number;
  readonly recordIndex: number | null;
  /** JSON Pointer (RFC 6901) within the record. */
  readonly pointer: string | null;
  readonly findingUid: string | null;
  readonly detail: string;
}

/** Errors or warnings of a frame: the count of each code, and the first problems in file order. */
interface Problems {
  readonly counts: ReadonlyMap<string, number>;
  readonly kept: readonly JobProblem[];
}

export interface FrameOutcome {
  /** All records of the frame, valid or not. */
  readonly records: number;
  /** The error code under which all records are counted if the frame is given up. */
  readonly givenUpAs: string | null;
  /** One error per rejected record. */
  readonly errors: Problems;
  readonly warnings: Problems;
  readonly missing: MissingAttributes;
  readonly detectionFindings: number;
}

export interface FinishOptions {
  readonly errorsKeptPerJob: number;
  /** Other jobs whose counts the transaction is going to update. */
  readonly changedJobs?: readonly string[];
  /** Whether another upload has a newer record of a finding. */
  readonly hasLateRecords?: boolean;
}

/** A job whose last frame is complete. `seconds` is the time since its request was received. */
export interface EndedJob {
  readonly status: string;
  readonly records: number;
  readonly invalid: number;
  readonly seconds: number;
}

/** The columns of an `EndedJob`. */
export const ENDED_JOB = `status, total::float8 as records, invalid::float8,
  round(extract(epoch from completed_at - requested_at), 3)::float8 as seconds`;

const NO_DETECTION_FINDINGS: JobProblem = {
  code: 'no_detection_findings',
  byteOffset: 0,
  recordIndex: null,
  pointer: null,
  findingUid: null,
  detail: 'The file contains no Detection Findings. Upload records with class_uid 2004.',
};

/**
 * Ends a frame's transaction: removes the frame from the queue, counts its records, stores its errors and warnings up
 * to the limit of each, and ends the job with the last frame, unless the job first has to resolve findings or to report a
 * dry run (`endJob`).
 * Locks the job's row, so only updates of rows that frames share and the commit may follow. Returns the job if it has
 * ended.
 */
export async function finishFrame(
  client: Queryable,
  frame: FrameJob,
  outcome: FrameOutcome,
  { errorsKeptPerJob, changedJobs = [], hasLateRecords = false }: FinishOptions,
): Promise<EndedJob | undefined> {
  const ids = [frame.tenantId, frame.ingestionId];
  await dequeueFrame(client, frame);
  if (isDistributed(client) || frame.givenUpAs !== outcome.givenUpAs)
    await client.query(isDistributed(client) ? END_DISTRIBUTED_FRAME : END_FRAME, [
      ...ids,
      frame.number,
      outcome.givenUpAs,
    ]);
  // Before the own job is updated, because jobs are locked in the order of their ids.
  if (changedJobs.length > 0)
    await lockIngestions(client, frame.tenantId, [frame.ingestionId, ...changedJobs]);
  if (frame.givenUpAs !== null) await undoGivenUp(client, frame, frame.givenUpAs);
  const declaresCoverage = frame.coverage !== DEFAULT_COVERAGE;
  if (declaresCoverage) await removeCoverageWarning(client, ids);
  const job = await lockJob(client, ids);

  const counts = new Map(outcome.errors.counts);
  const errors = outcome.errors.kept.slice(0, Math.max(0, errorsKeptPerJob - job.errorsKept));
  const warningCounts = new Map(outcome.warnings.counts);
  if (outcome.missing.count > 0) warningCounts.set(MISSING_ATTRIBUTE, outcome.missing.count);
  const warnings = outcome.warnings.kept.slice(0, Math.max(0, errorsKeptPerJob - job.warningsKept));
  const invalid = totalOf(outcome.errors.counts);
  const detectionFindings = job.detectionFindings + outcome.detectionFindings;
  const hasNoDetectionFindings = job.isLastFrame && job.fileFault === null && detectionFindings === 0;
  if (hasNoDetectionFindings) {
    counts.set(NO_DETECTION_FINDINGS.code, 1);
    errors.push(NO_DETECTION_FINDINGS);
  }
  const failed = job.fileFault !== null || hasNoDetectionFindings || job.invalid + invalid > 0;
  if (job.isLastFrame && failed && declaresCoverage) {
    const warning = coverageWarning('the file or some of its records are invalid');
    warningCounts.set(warning.code, 1);
    warnings.push(warning);
  }
  await storeProblems(client, 'error', ids, { counts, kept: errors });
  await storeProblems(client, 'warning', ids, { counts: warningCounts, kept: warnings });
  await outcome.missing.store(client, ids);

  const isEnd = job.isLastFrame && !frame.isDryRun && (failed || !declaresCoverage);
  // The end may no longer be queued: workers remove that of a failed job, which can be retried.
  if (job.isLastFrame && !isEnd)
    await releaseReserved(client, { ...frame, numbers: [endNumber(job.frames)] });
  const { rows } = await client.query<EndedJob>(
    `update ingestions set processed = processed + $3, invalid = invalid + $4, detection_findings = $5,
       errors_kept = errors_kept + $6, warnings = warnings + $7, warnings_kept = warnings_kept + $8,
       frames_done = frames_done + 1, has_late_records = has_late_records or $9${isEnd ? END : ''}
     where tenant_id = $1 and id = $2
     returning ${ENDED_JOB}`,
    [
      ...ids,
      outcome.records,
      invalid,
      detectionFindings,
      errors.length,
      totalOf(warningCounts),
      warnings.length,
      hasLateRecords,
      ...(isEnd ? [failed ? 'failed' : 'completed'] : []),
    ],
  );
  return isEnd ? rows[0] : undefined;
}

const END_FRAME =
  'update frames set given_up_as = $4 where tenant_id = $1 and ingestion_id = $2 and number = $3';
/** If the coordinator crashes before it commits, the frame remains queued, but is not processed again. */
const END_DISTRIBUTED_FRAME = `
  update frames set given_up_as = $4, done_at = statement_timestamp()
  where tenant_id = $1 and ingestion_id = $2 and number = $3`;

/** Assignments for the last frame of a job. */
const END = ', status = $10::ingestion_status, completed_at = statement_timestamp()';

/** Reverts the counts of a frame that an earlier run gave up on (`failFrame`). */
async function undoGivenUp(
  client: Queryable,
  { tenantId, ingestionId, byteOffset, records }: FrameJob,
  code: string,
): Promise<void> {
  await client.query(
    `with removed as (
       delete from ingestion_errors
       where tenant_id = $1 and ingestion_id = $2 and byte_offset = $3 and code = $4 and record_index is null
       returning code
     ), counted as (
       update ingestion_error_counts set count = count - $5 where tenant_id = $1 and ingestion_id = $2 and code = $4
     )
     update ingestions set processed = processed - $5, invalid = invalid - $5,
       detection_findings = detection_findings - $5, errors_kept = errors_kept - (select count(*) from removed)
     where tenant_id = $1 and id = $2`,
    [tenantId, ingestionId, byteOffset, code, records],
  );
  await client.query(
    'delete from ingestion_error_counts where tenant_id = $1 and ingestion_id = $2 and count = 0',
    [tenantId, ingestionId],
  );
}

interface Job {
  readonly total: number;
  readonly invalid: number;
  readonly detectionFindings: number;
  readonly errorsKept: number;
  readonly warningsKept: number;
  readonly fileFault: string | null;
  readonly frames: number;
  readonly isLastFrame: boolean;
}

async function lockJob(client: Queryable, ids: readonly string[]): Promise<Job> {
  const { rows } = await client.query<Job>(
    `select total::float8, invalid::float8, detection_findings::float8 as "detectionFindings",
       errors_kept::float8 as "errorsKept", warnings_kept::float8 as "warningsKept", file_fault as "fileFault", frames, frames_done + 1 = frames as "isLastFrame"
     from ingestions where tenant_id = $1 and id = $2 for no key update`,
    [...ids],
  );
  const job = rows[0];
  if (job === undefined) throw new Error(`ingestion ${ids[1]} of a claimed frame does not exist`);
  return job;
}

export async function storeProblems(
  client: Queryable,
  type: 'error' | 'warning',
  ids: readonly string[],
  { counts, kept }: Problems,
): Promise<void> {
  if (counts.size === 0) return;
  const [countTable, table] = [`ingestion_${type}_counts`, `ingestion_${type}s`];
  await client.query(
    `insert into ${countTable} as c (tenant_id, ingestion_id, code, count)
     select i.tenant_id, i.id, e.code, e.count
     from ingestions i cross join unnest($3::text[], $4::bigint[]) as e (code, count)
     where i.tenant_id = $1 and i.id = $2
     on conflict (tenant_id, ingestion_id, code) do update set count = c.count + excluded.count`,
    [...ids, [...counts.keys()], [...counts.values()]],
  );
  await client.query(
    `insert into ${table} (tenant_id, ingestion_id, code, byte_offset, record_index, pointer, finding_uid, detail)
     select i.tenant_id, i.id, e.*
     from ingestions i
     cross join unnest($3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[]) as e
     where i.tenant_id = $1 and i.id = $2`,
    [
      ...ids,
      kept.map(({ code }) => code),
      kept.map(({ byteOffset }) => byteOffset),
      kept.map(({ recordIndex }) => recordIndex),
      kept.map(({ pointer }) => pointer),
      kept.map(({ findingUid }) => findingUid),
      kept.map(({ detail }) => detail),
    ],
  );
}

/** The sum of the counts of all codes. */
export function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Collects the errors or warnings of a frame, and keeps the first problems up to a limit. */
export class ProblemList implements Problems {
  readonly #counts = new Map<string, number>();
  readonly #kept: JobProblem[] = [];
  readonly #maxKept: number;

  constructor(maxKept: number) {
    this.#maxKept = maxKept;
  }

  add(problem: JobProblem): void {
    this.#counts.set(problem.code, (this.#counts.get(problem.code) ?? 0) + 1);
    if (this.#kept.length < this.#maxKept) this.#kept.push(problem);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  get kept(): readonly JobProblem[] {
    return this.#kept;
  }
}
