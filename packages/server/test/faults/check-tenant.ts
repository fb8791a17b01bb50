import { checkFindings } from '../kill/check-findings.ts';
import { checkProviders } from '../kill/check-providers.ts';
import { checkUploads } from '../kill/check-uploads.ts';
import type { KnownUpload } from '../kill/oracle.ts';
import type { PlannedRecord } from '../kill/planned-upload.ts';
import { createTenantReader } from '../kill/tenant-reader.ts';
import { assertTrueCounts } from '../support/true-counts.ts';
import { DELETED_ACCOUNT } from './scenario-uploads.ts';
import type { Tenant } from './tenant.ts';

/** So many are read one by one. */
const RECORDS = 2;

/** Every upload with a 202 is one complete job, everything else has left nothing, and all counts are those of the rows. */
export async function checkTenant(tenant: Tenant): Promise<void> {
  const { url, key, sent, faults, plans, ownSql } = tenant;
  const reader = createTenantReader(url, key);
  const { first, second, givenUp } = plans;
  const planOf = (number: number) => [first, second, givenUp][number] ?? first;
  const known = await checkUploads(reader, sent, planOf, faults);
  const left = known.map((upload) => (upload.plan === givenUp ? upload : withoutDeleted(upload)));
  await checkFindings(reader, left, faults, RECORDS);
  await checkProviders(reader, left, faults);
  await assertTrueCounts({ sql: ownSql }).catch((error: unknown) => faults.add(`the kept counts: ${error}`));
}

/** As if the records that the deleted provider took with it had never been good ones. */
function withoutDeleted(upload: KnownUpload): KnownUpload {
  const { plan } = upload;
  const records = plan.records.map(
    (record): PlannedRecord =>
      typeof record.expected === 'object' && record.expected.account === DELETED_ACCOUNT
        ? { ...record, expected: 'deleted' }
        : record,
  );
  return { ...upload, plan: { ...plan, records } };
}

/** What is stored of the tenant, without ids and times of its own: the same in every run in which all was accepted. */
export async function digestOf({ id, sql, sent }: Tenant): Promise<string | undefined> {
  if (sent.some(({ outcome }) => outcome.kind !== 'accepted')) return undefined;
  const rows = await sql(DIGEST, [id]);
  return JSON.stringify(rows);
}

/** Ids, and what is made of them. */
const OWN = `array['tenant_id', 'id', 'provider_id', 'ingestion_id', 'previous_ingestion_id', 'inserted_at', 'updated_at']`;
const DIGEST = ['findings', 'scans', 'checks', 'ingestion_warnings']
  .map(
    (table) =>
      `select '${table}' as what, jsonb_agg(to_jsonb(r) - ${OWN} order by (to_jsonb(r) - ${OWN})::text) as rows from ${table} r where tenant_id = $1`,
  )
  .join(' union all ');
