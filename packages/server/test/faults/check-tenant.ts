import { checkFindings } from '../kill/check-findings.ts';
import { checkProviders } from '../kill/check-providers.ts';
import { checkUploads } from '../kill/check-uploads.ts';
import { DELETED, type KnownUpload } from '../kill/oracle.ts';
import type { PlannedRecord } from '../kill/planned-upload.ts';
import { createTenantReader } from '../kill/tenant-reader.ts';
import { STORED_FINDINGS } from '../support/stored-findings.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { DELETED_ACCOUNT } from './scenario-uploads.ts';
import type { Tenant } from './tenant.ts';

/** Number of findings whose stored records are checked. */
const SAMPLED_RECORDS = 2;

/**
 * Checks that every upload with a 202 created one complete job, that other uploads left nothing behind, and that all
 * counts match the rows.
 */
export async function checkTenant(tenant: Tenant): Promise<void> {
  const { url, key, sent, faults, plans, tenantSql } = tenant;
  const reader = createTenantReader(url, key);
  const { first, second, givenUp } = plans;
  const planOf = (number: number) => [first, second, givenUp][number] ?? first;
  const uploads = await checkUploads(reader, sent, planOf, faults);
  const remaining = uploads.map((upload) => (upload.plan === givenUp ? upload : withoutDeleted(upload)));
  await checkFindings(reader, remaining, faults, SAMPLED_RECORDS);
  await checkProviders(reader, remaining, faults);
  await assertTrueCounts({ sql: tenantSql }).catch((error: unknown) => faults.add(`stored counts: ${error}`));
}

/** Marks the records of the deleted provider as deleted. */
function withoutDeleted(upload: KnownUpload): KnownUpload {
  const { plan } = upload;
  const records = plan.records.map(
    (record): PlannedRecord =>
      typeof record.expected === 'object' && record.expected.account === DELETED_ACCOUNT
        ? { ...record, expected: DELETED }
        : record,
  );
  return { ...upload, plan: { ...plan, records } };
}

/** Returns the tenant's stored data without IDs and times. It is the same in every run that accepted all uploads. */
export async function digestOf({ id, sql, sent }: Tenant): Promise<string | undefined> {
  if (sent.some(({ outcome }) => outcome.type !== 'accepted')) return undefined;
  const rows = await sql(DIGEST, [id]);
  return JSON.stringify(rows);
}

/** Columns that differ between runs. */
const VARYING = `array['tenant_id', 'id', 'key', 'provider_id', 'ingestion_id', 'previous_ingestion_id', 'inserted_at', 'updated_at']`;
const DIGEST = [STORED_FINDINGS, 'scans', 'checks', 'resources', 'finding_facets', 'ingestion_warnings']
  .map(
    (table, position) =>
      `select ${position} as what, jsonb_agg(to_jsonb(r) - ${VARYING} order by (to_jsonb(r) - ${VARYING})::text) as rows from ${table} r where tenant_id = $1`,
  )
  .join(' union all ');
