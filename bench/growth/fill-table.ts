import { rm } from 'node:fs/promises';
import type pg from 'pg';
import {
  CREATE_FINDING_CHANGES,
  updateFindingCounts,
} from '../../packages/server/src/ingest/merge/merge-findings.ts';
import { createSecondTenant } from '../../packages/server/test/support/second-tenant.ts';
import type { Service } from '../../packages/server/test/support/service.ts';
import { generateFile } from '../generate-file.ts';
import { copyProviders, createTenantLike, FINDING_COLUMNS } from '../reading/other-tenants.ts';
import { ingestFile } from '../service.ts';

const COPIED_COLUMNS = FINDING_COLUMNS.filter((name) => name !== 'id' && name !== 'uid').join(', ');

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
    await sql.query(CREATE_FINDING_CHANGES);
    await copyProviders(sql, second.id, service.tenantId);
    for (let copy = 1; copy < files; copy++) {
      await sql.query('begin');
      const to = copy % 2 === 1 ? service.tenantId : await createTenantLike(sql, second.id, copy);
      await copyFindings(sql, second.id, to, copy);
      await sql.query('commit');
    }
    // Otherwise autovacuum and the next checkpoint would run during a measurement.
    await sql.query('vacuum analyze');
    await sql.query('checkpoint');
  } finally {
    await sql.end();
  }
}

/**
 * Copies rows as distinct findings with random IDs, through the existing indexes and in the row order of a frame. The
 * result is like a table that has grown over time, not one whose indexes were just built.
 */
async function copyFindings(sql: pg.Client, from: string, to: string, copy: number): Promise<void> {
  await sql.query(
    `insert into findings (tenant_id, id, uid, ${COPIED_COLUMNS})
     select $1, gen_random_uuid(), uid || '-' || $3::int, ${COPIED_COLUMNS} from findings
     where tenant_id = $2 order by 2`,
    [to, from, copy],
  );
  await updateFindingCounts(sql, to);
}
