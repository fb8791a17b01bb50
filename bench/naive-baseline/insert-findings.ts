import type { Kysely } from 'kysely';
import type { FindingRecord } from './finding-schema.ts';
import { type Database, IDENTITY, rowOf } from './findings-table.ts';

const BATCH = 1000;

/** Inserts or updates all findings in one transaction, a thousand per statement. */
export async function insertFindings(db: Kysely<Database>, records: readonly FindingRecord[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (let at = 0; at < records.length; at += BATCH) {
      await transaction
        .insertInto('findings')
        .values(records.slice(at, at + BATCH).map(rowOf))
        .onConflict((conflict) =>
          conflict.columns([...IDENTITY]).doUpdateSet((excluded) => ({
            resource_name: excluded.ref('excluded.resource_name'),
            resource_type: excluded.ref('excluded.resource_type'),
            region: excluded.ref('excluded.region'),
            status: excluded.ref('excluded.status'),
            status_detail: excluded.ref('excluded.status_detail'),
            severity: excluded.ref('excluded.severity'),
            title: excluded.ref('excluded.title'),
            seen_at: excluded.ref('excluded.seen_at'),
            record: excluded.ref('excluded.record'),
          })),
        )
        .execute();
    }
  });
}
