import type { VerbatimJson } from '../../jsonapi/verbatim-json.ts';

/**
 * Finds a finding and then reads its record. If a newer record replaces this one in between, its file may be removed by
 * garbage collection; the finding is then looked up again, because it refers to another file.
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
