import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { countTenantsToBackfill, findDimensionFaults } from '../support/dimension-faults.ts';
import { record } from '../support/records.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Restores the state after the migration: findings have no keys, and none is counted. */
const FORGET_KEYS = `
  begin;
  set local sluice.counts = 'backfill';
  update findings set check_key = null, facet_key = null, resource_key = null, scan_id = null;
  delete from finding_totals;
  delete from finding_total_changes;
  insert into finding_backfills (tenant_id) select tenant_id from tenant_housekeeping;
  commit`;

const failFor = (tenantId: string) => `
  alter function backfill_findings(uuid, uuid) rename to original_backfill_findings;
  create function backfill_findings(tenant uuid, last uuid) returns integer language plpgsql as $$
  begin
    if tenant = '${tenantId}' then raise exception 'injected fault'; end if;
    return original_backfill_findings(tenant, last);
  end $$`;
const STOP_FAILING = `
  drop function backfill_findings(uuid, uuid);
  alter function original_backfill_findings(uuid, uuid) rename to backfill_findings`;

describe('backfilling the findings of earlier releases', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await service.sql('call use_previous_layout()');
    await service.end();
    service = { ...(await startService({}, service.dataDir)), key: service.key, tenantId: service.tenantId };
  });
  after(() => service.remove());

  it('backfills other tenants while the backfill of a tenant fails, and that tenant once it no longer fails', async () => {
    const { databaseUrl, dataDir, key, sql, end, url } = service;
    const second = await createSecondTenant(service);
    await createClient(url, key).ingest([record()]);
    await second.client.ingest([record()]);
    await end();
    await sql(FORGET_KEYS);
    const remaining = async () =>
      await sql<{ id: string }>('select tenant_id as id from finding_backfills order by tenant_id');
    // Tenants are backfilled in the order of their ids.
    const [failing] = await remaining();
    await sql(failFor(failing?.id ?? ''));
    service = await startService({}, dataDir);
    const { output } = service;
    await until(async () => (await countTenantsToBackfill(databaseUrl)) === 1);
    assert.deepEqual(await remaining(), [failing]);
    assert.match(
      output.stdout + output.stderr,
      new RegExp(`"tenantId":"${failing?.id}".*findings of a tenant could not be backfilled`),
    );
    await sql(STOP_FAILING);
    await until(async () => (await countTenantsToBackfill(databaseUrl)) === 0);
    assert.deepEqual(await findDimensionFaults(databaseUrl), []);
    assert.deepEqual(await sql('select id from findings where facet_key is null'), []);
  });
});
