import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import { migratedBefore } from '../support/migrated-before.ts';

const RESOURCES = '0024-resources-and-totals.sql';

describe('the resource of a finding that was not backfilled yet', () => {
  it('gets the attributes of the finding if the previous release merges an older record', async (t) => {
    const { client, url } = await migratedBefore(t, RESOURCES);
    const tenant = randomUUID();
    const provider = randomUUID();
    await client.query(
      "insert into tenants (tenant_id, name, subscription) values ($1, 'Tenant', 'active')",
      [tenant],
    );
    await client.query(
      "insert into providers (tenant_id, id, type, account, created_at) values ($1, $2, 'aws', '1', now())",
      [tenant, provider],
    );
    await client.query('alter table findings disable trigger user');
    await client.query(
      `insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes, status,
         severity, muted, first_seen_at, last_seen_at, status_changed_at, check_id, uid, resource_uid, resource_name)
       values ($1, gen_random_uuid(), $2, $1, 0, 0, 0, 0, 'FAIL', 1, false, now(), now(), now(), 'c', 'u', 'bucket', 'new name')`,
      [tenant, provider],
    );
    await client.query('alter table findings enable trigger user');
    await migrate(url);
    await client.query('alter table findings disable trigger note_updates');
    await client.query("select set_config('sluice.tenant_id', $1, false)", [tenant]);
    // The previous release merges a frame with an older record of the finding.
    await client.query(
      `select create_finding_dimensions($1, array[$2::uuid], array['c'], array[null], array[null], array[null],
         array['bucket'], array['old name'], array[now() - interval '1 hour'])`,
      [tenant, provider],
    );
    await client.query("update findings set first_seen_at = now() - interval '1 hour'");
    const { rows } = await client.query('select name from resources');
    assert.deepEqual(rows, [{ name: 'new name' }]);
    const { rows: left } = await client.query('select from findings where resource_key is null');
    assert.equal(left.length, 0);
  });
});
