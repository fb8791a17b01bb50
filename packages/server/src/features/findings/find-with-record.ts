import type { VerbatimJson } from '../../jsonapi/verbatim-json.ts';

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
