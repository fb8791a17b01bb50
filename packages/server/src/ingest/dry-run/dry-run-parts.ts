import type { DetectionFinding } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { stateCode } from '../changes/finding-state.ts';
import { hexOf } from '../merge/copy-writer.ts';
import type { FrameRows } from '../merge/frame-rows.ts';
import type { ClaimedFrame } from '../worker/claim.ts';

/** An account without a provider. */
export type NewAccount = Pick<DetectionFinding, 'providerType' | 'account' | 'accountName'>;

/** What a frame of a dry run contains. */
export interface DryRunPart {
  readonly rows: FrameRows;
  /** The `finding_state_code` of known findings before the upload, by id without hyphens. */
  readonly priorStates: ReadonlyMap<string, number>;
  readonly newAccounts: readonly NewAccount[];
}

/** Stores a part until the job ends, in the open transaction. */
export async function storePart(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  { rows, priorStates, newAccounts }: DryRunPart,
): Promise<void> {
  const findings = Array.from(rows.values(), (row) => ({ ...row, id: hexOf(row.id), state: stateCode(row) }));
  await client.query(
    `insert into dry_run_parts (tenant_id, ingestion_id, frame, finding_ids, times, states, prior_states, record_indexes,
       record_offsets, provider_types, accounts, account_names)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      tenantId,
      ingestionId,
      number,
      findings.map(({ id }) => id),
      findings.map(({ time }) => time),
      findings.map(({ state }) => state),
      findings.map(({ id }) => priorStates.get(id) ?? null),
      findings.map(({ recordIndex }) => recordIndex),
      findings.map(({ offset }) => offset),
      newAccounts.map(({ providerType }) => providerType),
      newAccounts.map(({ account }) => account),
      newAccounts.map(({ accountName }) => accountName),
    ],
  );
}

/** Deletes the parts and scopes of a job whose frames were all read; otherwise, the job may be retried. */
export async function deleteParts(client: Queryable, tenantId: string, ingestionId: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from frames where tenant_id = $1 and ingestion_id = $2 and given_up_as is not null limit 1',
    [tenantId, ingestionId],
  );
  if (rowCount !== 0) return;
  for (const table of ['dry_run_parts', 'coverage_parts'])
    await client.query(`delete from ${table} where tenant_id = $1 and ingestion_id = $2`, [
      tenantId,
      ingestionId,
    ]);
}
