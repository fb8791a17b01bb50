import { rm } from 'node:fs/promises';
import { foldTotals } from '../../packages/server/src/ingest/merge/finding-totals.ts';
import { createSecondTenant } from '../../packages/server/test/support/second-tenant.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { generateFile } from '../generate-file.ts';
import { ingestFile } from '../service.ts';
import { copyFindings, copyReferences, createTenantLike } from './copy-tenant.ts';

/**
 * Fills the `findings` table: a second tenant ingests one file, whose rows are then copied by SQL. Half of the copies
 * belong to the service's first tenant, and each of the others to a new tenant.
 */
export async function fillTable(
  service: Service,
  { folder, records, files }: { readonly folder: string; readonly records: number; readonly files: number },
): Promise<void> {
  const second = await createSecondTenant(service);
  const file = await generateFile(folder, records, { indent: 0 });
  await ingestFile({ ...service, key: second.key }, second.client, file.path);
  await rm(file.path);
  const sql = await service.connect();
  try {
    await copyReferences(sql, second.id, service.tenantId);
    for (let copy = 1; copy < files; copy++) {
      await sql.query('begin');
      const to = copy % 2 === 1 ? service.tenantId : await createTenantLike(sql, second.id, copy);
      await copyFindings(sql, second.id, to, { copy });
      await foldTotals(sql, to);
      await sql.query('commit');
    }
    // Otherwise autovacuum and the next checkpoint would run during a measurement.
    await sql.query('vacuum analyze');
    await sql.query('checkpoint');
  } finally {
    await sql.end();
  }
}
