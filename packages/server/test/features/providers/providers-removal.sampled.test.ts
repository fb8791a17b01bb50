import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CREATE_FINDING_CHANGES, updateFindingCounts } from '../../../src/ingest/merge/previous-layout.ts';
import { createClient } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

interface Provider {
  readonly id: string;
  readonly attributes: { readonly findings: { readonly total: number } };
}

const fileOf = (account: string, findings: number) =>
  Array.from({ length: findings }, (_, at) =>
    record({
      cloud: { account: { uid: account } },
      metadata: { event_code: 'check', product: { name: 'Scanner' } },
      finding_info: { uid: `finding-${at}` },
    }),
  );

describe("a deleted provider's data", () => {
  const sandbox = createSandbox();
  let service: Service;
  let key: string;
  let tenantId: string;
  before(async () => {
    // A separate service, because these tests kill and restart it.
    service = await sandbox.startService();
    ({ key, tenantId } = service);
  });
  after(() => sandbox.clear());

  const client = () => createClient(service.url, key);
  const find = async (account: string) =>
    (await client().get<Provider[]>(`/providers?filter[account]=${account}`)).body.data;
  async function upload(account: string, findings: number): Promise<string> {
    await client().ingest(fileOf(account, findings));
    const [provider] = await find(account);
    assert.equal(provider?.attributes.findings.total, findings);
    return provider?.id ?? '';
  }
  async function remove(id: string): Promise<void> {
    assert.equal((await client().delete(`/providers/${id}`)).status, 204);
  }
  const count = async (
    table: 'findings' | 'scans' | 'finding_counts' | 'provider_products' | 'provider_removals',
    providerId: string,
  ) => {
    const [row] = await service.sql(`select count(*)::int from ${table} where provider_id = $1`, [
      providerId,
    ]);
    return Number(row?.count);
  };
  const waitForRemoval = (id: string) =>
    until(async () => (await count('provider_removals', id)) === 0).then(async () => {
      for (const table of ['findings', 'scans', 'finding_counts', 'provider_products'] as const)
        assert.equal(await count(table, id), 0, table);
    });
  /** Runs this statement before each batch of findings is removed. */
  const onRemoval = (statement: string) =>
    service.sql(
      `create or replace function on_removal() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
       create or replace trigger on_removal before delete on findings execute function on_removal()`,
    );
  const dropTrigger = () => service.sql('drop trigger on_removal on findings');

  it("removes a deleted provider's findings and scans, and nothing else", async () => {
    const second = await createSecondTenant(service);
    await second.client.ingest(fileOf('gone', 10));
    const kept = await upload('kept', 10);
    const id = await upload('gone', 2500);
    assert.equal(await count('scans', id), 1);
    await remove(id);
    await waitForRemoval(id);
    assert.deepEqual([await count('findings', kept), await count('scans', kept)], [10, 1]);
    const [foreign] = await service.sql('select count(*)::int from findings where tenant_id = $1', [
      second.id,
    ]);
    assert.equal(foreign?.count, 10);
    const [provider] = await service.sql('select deleted_at from providers where id = $1', [id]);
    assert.ok(provider?.deleted_at instanceof Date, 'the deleted provider was not kept for billing');
  });

  itInWholeRun('removes the data of a provider that an operator deletes', async () => {
    const id = await upload('commanded', 1200);
    await service.sluice('provider', 'delete', '--tenant', tenantId, id);
    await waitForRemoval(id);
    const events = await service.sql(
      'select action, changes, user_id from audit_events where target_type = $1 and target_id = $2',
      ['providers', id],
    );
    const changes = { type: 'aws', account: 'commanded' };
    assert.deepEqual(events, [{ action: 'provider.deleted', changes, user_id: null }]);
  });

  it("hides a deleted provider's data before removing it, and accepts the account again immediately", async () => {
    await onRemoval(`raise 'not now'`);
    const id = await upload('back', 20);
    await remove(id);
    assert.deepEqual(await find('back'), []);
    assert.equal((await client().get(`/providers/${id}`)).status, 404);
    const again = await upload('back', 3);
    assert.notEqual(again, id);
    assert.equal(await count('findings', id), 20);
    const states = await service.sql('select distinct delta::text from findings where provider_id = $1', [
      again,
    ]);
    assert.deepEqual(states, [{ delta: 'new' }]);
    await until(async () => service.output.stderr.includes('not now'));
    await dropTrigger();
    await waitForRemoval(id);
    assert.equal(await count('findings', again), 3);
  });

  itInWholeRun("removes a provider's data even if another provider's data cannot be removed", async () => {
    const blocked = await upload('stuck', 5);
    await service.sql(
      `create function keep() returns trigger language plpgsql as $$
         begin if old.provider_id = '${blocked}' then raise 'kept'; end if; return old; end $$;
       create trigger keep before delete on findings for each row execute function keep()`,
    );
    await remove(blocked);
    const id = await upload('behind', 5);
    await remove(id);
    await waitForRemoval(id);
    assert.equal(await count('findings', blocked), 5);
    await service.sql('drop trigger keep on findings');
    await waitForRemoval(blocked);
  });

  it('removes findings from a frame that was in progress when the provider was deleted', async () => {
    const id = await upload('late', 3);
    const frame = await service.connect();
    try {
      await frame.query(CREATE_FINDING_CHANGES);
      await frame.query('begin');
      // Assigns a transaction ID, as a worker does when it claims a frame.
      await frame.query('select pg_current_xact_id()');
      await remove(id);
      await until(async () => (await count('findings', id)) === 0);
      // Waits for another removal pass before the frame ends.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      assert.equal(await count('provider_removals', id), 1);
      await frame.query(
        `insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes,
           status, severity, muted, first_seen_at, last_seen_at, status_changed_at, check_id, uid)
         values ($1, gen_random_uuid(), $2, gen_random_uuid(), 0, 0, 0, 0, 'FAIL', 1, false, now(), now(), now(), 'c', 'u')`,
        [tenantId, id],
      );
      await updateFindingCounts(frame, tenantId);
      await frame.query('commit');
    } finally {
      await frame.end();
    }
    await waitForRemoval(id);
  });

  itInWholeRun("removes a provider's data only once when several processes are running", async () => {
    const other = await sandbox.startService({
      DATABASE_URL: service.databaseUrl,
      SLUICE_BLOB_STORE: pathToFileURL(path.join(service.dataDir, 'blobs')).href,
    });
    try {
      await onRemoval('perform pg_sleep(0.05)');
      const ids = [await upload('several-1', 6000), await upload('several-2', 6000)];
      await Promise.all(ids.map(remove));
      for (const id of ids) await waitForRemoval(id);
      assert.doesNotMatch(`${service.output.stderr}${other.output.stderr}`, /deadlock/);
    } finally {
      await dropTrigger();
      await other.end();
    }
  });

  itInWholeRun('resumes the removal of provider data after a shutdown and after a crash', async () => {
    const id = await upload('large', 12_000);
    await onRemoval('perform pg_sleep(1)');
    await remove(id);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const before = await count('findings', id);
      await until(async () => (await count('findings', id)) < before);
      const started = performance.now();
      await service.end(signal);
      assert.ok(performance.now() - started < 4000, 'shutdown waited for more than one batch');
      service = await sandbox.startService({}, service.dataDir);
      const remaining = await count('findings', id);
      assert.ok(
        remaining > 0 && remaining < before,
        `${remaining} of ${before} findings remain, expected a partial removal`,
      );
      assert.deepEqual(await find('large'), []);
    }
    await dropTrigger();
    await waitForRemoval(id);
  });
});
