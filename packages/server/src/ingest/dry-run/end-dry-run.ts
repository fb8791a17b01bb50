import type { Queryable } from '../../db/transaction.ts';
import { type ChangedFindings, countChanges } from '../changes/change-counts.ts';
import { findStoredScopes } from '../merge/coverage-scopes.ts';
import { DEFAULT_COVERAGE } from '../upload/coverage.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import { productWarning } from '../worker/coverage-warning.ts';
import type { QueuedEnd } from '../worker/end-job.ts';
import { ENDED_JOB, type EndedJob, type JobProblem, storeProblems, totalOf } from '../worker/finish-frame.ts';
import { duplicateWarnings } from '../worker/record-warnings.ts';
import { deleteParts } from './dry-run-parts.ts';
import {
  findChanges,
  findDuplicates,
  findNewProviders,
  findResolved,
  type NewProviders,
} from './read-parts.ts';

/** The column `dry_run_report` of an ingestion. */
export interface DryRunReport {
  /** As in `change_counts`. */
  readonly changeCounts: readonly number[];
  readonly newProviders: NewProviders;
  /** Number of duplicates in different frames. */
  readonly duplicates: number;
}

/**
 * Ends a dry run whose frames have all been examined, in the open transaction: stores its report, and warnings about
 * several frames. The caller commits. Returns the job if it has ended.
 */
export async function endDryRun(
  client: Queryable,
  claim: ClaimedFrame,
  { coverage, hasFailed, warningsKept, report }: QueuedEnd,
  errorsKeptPerJob: number,
): Promise<EndedJob | undefined> {
  const { tenantId, ingestionId } = claim;
  const ids = [tenantId, ingestionId];
  const duplicates = await findDuplicates(client, claim, Math.max(0, errorsKeptPerJob - warningsKept));
  // After a retry, the earlier duplicates are counted already.
  const kept: JobProblem[] =
    report === null ? [...(await duplicateWarnings(client, claim, duplicates.first))] : [];
  const counts = new Map<string, number>();
  const added = duplicates.total - (report?.duplicates ?? 0);
  if (added > 0) counts.set('duplicate_finding', added);
  let resolved: readonly ChangedFindings[] = [];
  if (coverage !== DEFAULT_COVERAGE && !hasFailed) {
    const scopes = await findStoredScopes(client, tenantId, ingestionId);
    if (scopes.withProduct > 0) resolved = await findResolved(client, claim, coverage);
    const warning = productWarning(scopes);
    if (warning !== undefined) {
      counts.set(warning.code, 1);
      kept.push(warning);
    }
  }
  await storeProblems(client, 'warning', ids, { counts, kept });
  const changes = [...(await findChanges(client, claim)), ...resolved];
  const newReport: DryRunReport = {
    changeCounts: countChanges(changes),
    newProviders: await findNewProviders(client, claim),
    duplicates: duplicates.total,
  };
  await deleteParts(client, tenantId, ingestionId);
  const { rows } = await client.query<EndedJob>(END, [
    ...ids,
    hasFailed ? 'failed' : 'completed',
    JSON.stringify(newReport),
    totalOf(counts),
    kept.length,
  ]);
  return rows[0];
}

const END = `
  update ingestions set status = $3::ingestion_status, completed_at = statement_timestamp(), dry_run_report = $4,
    warnings = warnings + $5, warnings_kept = warnings_kept + $6
  where tenant_id = $1 and id = $2 and completed_at is null
  returning ${ENDED_JOB}`;
