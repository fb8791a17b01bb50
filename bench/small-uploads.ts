import type { Client } from '../packages/server/test/support/client.ts';
import type { Service } from '../packages/server/test/support/service.ts';
import { generateFindings } from '../tools/findings-generator/src/index.ts';

const RECORDS = 4;

/**
 * Uploads small files one after another and waits for each. The times in ms, sorted, by the database's clock:
 * from `inserted_at`, taken just before the 202, to `completed_at`.
 */
export async function smallUploads(service: Service, client: Client, uploads: number): Promise<number[]> {
  const file = Buffer.concat([...generateFindings({ records: RECORDS })]);
  for (let upload = 0; upload < uploads; upload++) await client.ingest(file);
  const rows = await service.sql<{ ms: number }>(
    'select extract(epoch from completed_at - inserted_at)::float8 * 1000 as ms from ingestions order by ms',
  );
  return rows.map(({ ms }) => ms);
}
