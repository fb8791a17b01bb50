import type { VerbatimJson } from '../../jsonapi/verbatim-json.ts';

/**
 * Finds a finding and reads its record, in this order. The file may be collected in between, when a newer record has taken
 * the place of this one: then the finding points somewhere else, and is found anew.
 */
export async function findWithRecord<
  Found extends { readonly place: { readonly ingestion_id: string } | undefined },
>(
  find: () => Promise<Found>,
  read: (found: Found) => Promise<VerbatimJson> | undefined,
): Promise<Found & { readonly record: VerbatimJson | undefined }> {
  let found = await find();
  for (;;) {
    try {
      return { ...found, record: await read(found) };
    } catch (error) {
      const again = await find();
      if (again.place?.ingestion_id === found.place?.ingestion_id) throw error;
      found = again;
    }
  }
}
