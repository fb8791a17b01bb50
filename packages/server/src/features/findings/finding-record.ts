import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import type { Queryable } from '../../db/transaction.ts';
import { readRange, readStored } from '../../ingest/frames/stored-frame.ts';
import { VerbatimJson } from '../../jsonapi/document.ts';
import { briefText, briefTexts } from '../../jsonapi/truncate-texts.ts';
import type { RecordLocation } from './repository.ts';

/**
 * Finds a finding and then reads its record. If the record is replaced in the meantime, garbage collection may remove
 * its file. In that case, looks up the finding again, because it now refers to a different file.
 */
export async function findWithRecord<
  Found extends { readonly location: { readonly ingestion_id: string } | undefined },
>(
  find: () => Promise<Found>,
  read: (found: Found) => Promise<VerbatimJson> | undefined,
): Promise<Found & { readonly record: VerbatimJson | undefined }> {
  let found = await find();
  for (;;) {
    try {
      return { ...found, record: await read(found) };
    } catch (error) {
      const current = await find();
      if (current.location?.ingestion_id === found.location?.ingestion_id) throw error;
      found = current;
    }
  }
}

/** Reads a record exactly as it was submitted. Throws a StoredFileError if it cannot be read. */
export async function readRecord(
  blobs: BlobStore,
  tenantId: string,
  location: RecordLocation,
): Promise<VerbatimJson> {
  const key = blobKey(tenantId, location.ingestion_id, location.requested_at);
  const length = location.blob_bytes - location.index_bytes;
  const data = await readStored(blobs, key, {
    offset: location.blob_offset,
    length,
    crc32: location.data_crc32,
  });
  const bytes = await readRange(data, location.record_offset, location.record_offset + location.record_bytes);
  return new VerbatimJson(bytes.toString());
}

/** The text columns of a check that are returned with its findings. */
export interface CheckTexts {
  readonly check_title: string | null;
  readonly categories: readonly string[];
}

interface CheckReference {
  readonly provider_type: string;
  readonly check_id: string;
}

const NO_TEXTS: CheckTexts = { check_title: null, categories: [] };

/**
 * Adds the checks' text columns to findings. Reads each check only once, because its text may be several megabytes in
 * size. A lateral subquery for each check always uses the complete primary key (see `providerSubquery`).
 */
export async function withCheckTexts<Row extends CheckReference>(
  client: Queryable,
  tenantId: string,
  rows: readonly Row[],
  { isBrief }: { readonly isBrief: boolean },
): Promise<readonly (Row & CheckTexts)[]> {
  if (rows.length === 0) return [];
  const distinct = new Map(rows.map((row) => [keyOf(row), row]));
  const [title, categories] = isBrief
    ? [briefText('title'), briefTexts('categories')]
    : ['title', 'categories'];
  const { rows: checks } = await client.query<CheckReference & CheckTexts>(
    `select requested.provider_type, requested.check_id, checks.check_title, checks.categories
     from unnest($2::text[], $3::text[]) as requested (provider_type, check_id)
     cross join lateral (select ${title} as check_title, coalesce(${categories}, '{}') as categories from checks
       where checks.tenant_id = $1 and checks.provider_type = requested.provider_type
         and checks.check_id = requested.check_id offset 0) as checks`,
    [
      tenantId,
      Array.from(distinct.values(), (row) => row.provider_type),
      Array.from(distinct.values(), (row) => row.check_id),
    ],
  );
  const textsByKey = new Map(
    checks.map((check) => [
      keyOf(check),
      { check_title: check.check_title, categories: check.categories } satisfies CheckTexts,
    ]),
  );
  return rows.map((row) => ({ ...row, ...(textsByKey.get(keyOf(row)) ?? NO_TEXTS) }));
}

/** Unambiguous, because stored text never contains U+0000. */
function keyOf({ provider_type, check_id }: CheckReference): string {
  return `${provider_type}\0${check_id}`;
}
