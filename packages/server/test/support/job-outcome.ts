import assert from 'node:assert/strict';
import type { Client, Ingestion, IngestionError } from './client.ts';
import type { TenantService } from './service.ts';
import { STORED_FINDINGS } from './stored-findings.ts';

export type ExpectedError = Omit<IngestionError['attributes'], 'detail'> & { readonly detail: RegExp };

/** Returns the expected error for the file as a whole. */
export function fileError(code: string, byteOffset: number, detail: RegExp): ExpectedError {
  return { code, byte_offset: byteOffset, detail, record_index: null, pointer: null, finding_uid: null };
}

/**
 * Asserts that an ended job reports exactly these counts of records and rejected records, these errors in file order,
 * and the counts of errors by code. Expects `failed` if there are errors, else `completed`.
 */
export async function assertOutcome(
  client: Client,
  { id, attributes }: Ingestion,
  expected: { readonly total: number; readonly invalid: number; readonly errors: readonly ExpectedError[] },
): Promise<void> {
  const { total, invalid } = expected;
  const { errors, counts } = await client.errors(id);
  assert.deepEqual(
    errors.map(({ detail: _, ...error }) => error),
    expected.errors.map(({ detail: _, ...error }) => error),
  );
  for (const [index, { detail }] of expected.errors.entries())
    assert.match(errors[index]?.detail ?? '', detail);
  const codes = Object.groupBy(expected.errors, ({ code }) => code);
  assert.deepEqual(
    counts,
    Object.fromEntries(Object.entries(codes).map(([code, group]) => [code, group?.length])),
  );
  assert.deepEqual(
    { status: attributes.status, summary: attributes.summary },
    {
      status: expected.errors.length === 0 ? 'completed' : 'failed',
      summary: { total, processed: total, invalid },
    },
  );
}

/** A finding in the database, with its provider. */
export interface StoredFinding {
  readonly record_index: number;
  readonly uid: string;
  readonly check_id: string;
  readonly provider: string;
  readonly account: string;
  readonly account_name: string | null;
  readonly status: string;
  readonly severity: number;
  readonly muted: boolean;
  readonly last_seen_at: Date;
  readonly resource_uid: string | null;
  readonly resource_name: string | null;
  readonly resource_type: string | null;
  readonly region: string | null;
  readonly service: string | null;
  readonly scan_uid: string | null;
  readonly status_detail: string | null;
}

/** Returns the findings whose state comes from this job, in file order. */
export async function findingsOf({ sql }: TenantService, { id }: Ingestion): Promise<StoredFinding[]> {
  return await sql<StoredFinding & Record<string, unknown>>(
    `select f.record_index::int, f.uid, f.check_id, p.type as provider, p.account, p.name as account_name,
       f.status, f.severity, f.muted, f.last_seen_at, f.resource_uid, f.resource_name, f.resource_type, f.region,
       f.service, f.scan_uid, f.status_detail
     from ${STORED_FINDINGS} f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
     where f.ingestion_id = $1 order by f.record_index`,
    [id],
  );
}
