import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../support/client.ts';
import { countUnfilledTenants, findDimensionFaults } from '../support/dimension-faults.ts';
import { record } from '../support/records.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Restores the state after the migration: findings have no keys, and none is counted. */
const FORGET_KEYS = `
  begin;
  set local sluice.counts = 'fill';
  update findings set check_key = null, facet_key = null, resource_key = null, scan_id = null;
  delete from finding_totals;
  delete from finding_total_changes;
  insert into finding_backfills (tenant_id) select tenant_id from tenant_housekeeping;
  commit`;

const failFor = (tenantId: string) => `
  alter function fill_findings(uuid, uuid) rename to original_fill_findings;
  create function fill_findings(tenant uuid, last uuid) returns integer language plpgsql as $$
  begin
    if tenant = '${tenantId}' then raise exception 'injected fault'; end if;
    return original_fill_findings(tenant, last);
  end $$`;
const STOP_FAILING = `
  drop function fill_findings(uuid, uuid);
  alter function original_fill_findings(uuid, uuid) rename to fill_findings`;

describe('filling the findings of earlier releases', () => {
  let service: Service;
  before(async () => {
    service = await startService();
    await service.sql('call use_previous_layout()');
    await service.end();
    service = { ...(await startService({}, service.dataDir)), key: service.key, tenantId: service.tenantId };
  });
  after(() => service.remove());

  it('fills other tenants while the fill of a tenant fails, and that tenant once it no longer fails', async () => {
    const { databaseUrl, dataDir, key, sql, end, url } = service;
    const second = await createSecondTenant(service);
    await createClient(url, key).ingest([record()]);
    await second.client.ingest([record()]);
    await end();
    await sql(FORGET_KEYS);
    const unfilled = async () =>
      await sql<{ id: string }>('select tenant_id as id from finding_backfills order by tenant_id');
    // Tenants are filled in the order of their ids.
    const [failing] = await unfilled();
    await sql(failFor(failing?.id ?? ''));
    service = await startService({}, dataDir);
    const { output } = service;
    await until(async () => (await countUnfilledTenants(databaseUrl)) === 1);
    assert.deepEqual(await unfilled(), [failing]);
    assert.match(
      output.stdout + output.stderr,
      new RegExp(`"tenantId":"${failing?.id}".*findings of a tenant could not be filled`),
    );
    await sql(STOP_FAILING);
    await until(async () => (await countUnfilledTenants(databaseUrl)) === 0);
    assert.deepEqual(await findDimensionFaults(databaseUrl), []);
    assert.deepEqual(await sql('select id from findings where facet_key is null'), []);
  });
});
