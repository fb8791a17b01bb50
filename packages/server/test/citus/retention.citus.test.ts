import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeKey, postUser } from '../support/access-resources.ts';
import { ageJob, countsOf, type GcReport, NOTHING, writeOrphan } from '../support/aged-data.ts';
import { type CitusDatabase, createCitusDatabase, getCitusSkipReason, onNode } from '../support/citus.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey, createUser } from '../support/operator.ts';
import { findDistributedStatements, isAboutAllTenants, recordingTo } from '../support/recorded-statements.ts';
import { record } from '../support/records.ts';
import { blobsOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const TODAY = new Date().toISOString().slice(0, 10);
/** More than a batch of the removal. */
const MANY = 1100;
/** How long a node may take to commit. */
const COMMIT_MS = 5000;
interface Tenant {
  readonly id: string;
  readonly key: string;
  /** The IDs of jobs by name. */
  readonly jobs: Map<string, string>;
}

describe('retention in a distributed database', { skip: getCitusSkipReason() }, () => {
  const sandbox = createSandbox();
  const statements = () => path.join(service.dataDir, 'statements');
  let citus: CitusDatabase;
  let service: Service;
  let first: Tenant;
  let second: Tenant;
  before(async () => {
    citus = await createCitusDatabase();
    const settings = {
      SLUICE_WORKERS: '1',
      SLUICE_GC_INTERVAL_MINUTES: '0',
      DATABASE_URL: citus.ownerUrl,
    };
    service = await sandbox.startService(settings);
    [first, second] = [await createTenant(service, 'Acme'), await createTenant(service, 'Umbrella')];
    for (const { key, jobs } of [first, second]) {
      const client = createClient(service.url, key);
      const ingest = async (name: string, account: string, count: number, time?: number) => {
        const headers = { 'idempotency-key': name };
        jobs.set(name, (await client.ingest(fileOf(account, count, time), { headers })).id);
      };
      await ingest('old', 'kept', 2);
      await ingest('older', 'kept', 1);
      await ingest('newer', 'kept', 2, 1_780_000_100);
      await ingest('gone', 'gone', MANY);
    }
    await service.end();
    const distributed = ['migrate', '--distribute', '--shards', '4'];
    const { code, stderr } = await sandbox.sluice(service.dataDir, distributed, settings);
    assert.equal(code, 0, stderr);
    service = await sandbox.startService({ ...settings, ...recordingTo(statements()) }, service.dataDir);
  });
  after(async () => {
    await sandbox.clear();
    await citus?.remove();
  });

  const json = async <Result>(...args: string[]): Promise<Result> =>
    JSON.parse((await service.sluice(...args, '--json')).stdout);
  const gc = async (...args: string[]) => countsOf(await json<GcReport>('gc', ...args));
  const clientOf = ({ key }: Tenant): Client => createClient(service.url, key);
  const providersOf = async ({ id }: Tenant) =>
    await json<readonly { id: string; account: string; findings: number }[]>(
      'provider',
      'list',
      '--tenant',
      id,
    );
  const count = async (table: string, providerId: string) =>
    (await service.sql(`select from ${table} where provider_id = $1`, [providerId])).length;

  it('removes the rows of a deleted provider, also those of a frame that was in progress, and collects garbage', async () => {
    const provider = (await providersOf(first)).find(({ account }) => account === 'gone');
    assert.equal(provider?.findings, MANY);
    const { id } = provider;
    const frame = await service.connect();
    try {
      await frame.query('begin');
      // Assigns a transaction ID, as a worker does when it claims a frame.
      await frame.query('select pg_current_xact_id()');
      await json('provider', 'delete', '--tenant', first.id, id);
      await until(async () => (await count('findings', id)) === 0);
      await frame.query(
        `insert into findings (tenant_id, id, provider_id, ingestion_id, record_index, frame, record_offset, record_bytes,
           status, severity, muted, first_seen_at, last_seen_at, status_changed_at)
         values ($1, gen_random_uuid(), $2, gen_random_uuid(), 0, 0, 0, 0, 'FAIL', 1, false, now(), now(), now())`,
        [first.id, id],
      );
      await frame.query('commit');
    } finally {
      await frame.end();
    }
    const ended = performance.now();
    assert.equal(await count('findings', id), 1);
    const removed = async () => {
      await until(async () => (await count('provider_removals', id)) === 0);
      return performance.now();
    };
    const [removedAt] = await Promise.all([removed(), assertCollected()]);
    assert.ok(removedAt - ended > COMMIT_MS, 'a node may still have been committing rows of the provider');
    for (const table of ['findings', 'scans', 'resources', 'finding_totals'])
      assert.equal(await count(table, id), 0, table);
  });

  const assertCollected = async () => {
    assert.deepEqual(await gc(), NOTHING);
    for (const { jobs } of [first, second]) await ageJob(service, jobs.get('old') ?? '', 366);
    await ageJob(service, first.jobs.get('older') ?? '', 31);
    for (const { id } of [first, second])
      await writeOrphan({ dataDir: service.dataDir, tenantId: id }, 25, TODAY);
    const blobs = (await blobsOf(service.dataDir)).length;
    const expected = { ...NOTHING, jobs: 2, files: 1, idempotency_keys: 3, orphan_blobs: 2 };
    assert.deepEqual([await gc('--dry-run'), await gc(), await gc()], [expected, expected, NOTHING]);
    assert.equal((await blobsOf(service.dataDir)).length, blobs - 5);
  };

  it('keeps all other data', async () => {
    for (const [tenant, accounts] of [
      [first, { kept: 2 }],
      [second, { gone: MANY, kept: 2 }],
    ] as const) {
      const providers = await providersOf(tenant);
      assert.deepEqual(
        Object.fromEntries(providers.map(({ account, findings }) => [account, findings])),
        accounts,
      );
      const { body } = await clientOf(tenant).get<{ attributes: { count: number } }>('/findings/summary');
      assert.equal(
        body.data.attributes.count,
        Object.values(accounts).reduce((sum, findings) => sum + findings, 0),
      );
    }
  });

  it('forgets the prefixes of the keys of a deleted user', async () => {
    const client = clientOf(first);
    const { body } = await postUser(client, 'leaving@example.com');
    const { attributes } = await makeKey(client, { name: 'leaving' }, body.data.id);
    const known = () => service.sql('select from api_key_prefixes where prefix = $1', [attributes.prefix]);
    assert.equal((await known()).length, 1);
    assert.equal((await client.delete(`/users/${body.data.id}`)).status, 204);
    assert.equal((await known()).length, 0);
  });

  it('reports metrics and that it is ready', async () => {
    const [metrics, ready] = await Promise.all(
      ['/metrics', '/health/ready'].map((at) => fetch(service.url + at)),
    );
    assert.equal(ready?.status, 200);
    const text = await metrics?.text();
    for (const line of ['sluice_database_up 1', 'sluice_queue_frames{class="few"} 0'])
      assert.ok(text?.includes(`\n${line}\n`), line);
  });

  it('uses all nodes only for statements about all tenants', async () => {
    assert.equal(service.output.stderr, '');
    const { found } = await findDistributedStatements(citus.ownerUrl, statements());
    for (const { statement, plan } of found) assert.ok(isAboutAllTenants(statement), `${statement}\n${plan}`);
    // Otherwise, such statements would not be found at all.
    assert.ok(found.length > 0);
  });

  it('leaves the vacuum of findings to autovacuum, with options for shards', async () => {
    const options = await onNode<{ result: string }>(
      citus.url,
      `select distinct result from run_command_on_placements('sluice.findings',
         $$select array_to_string(reloptions, ' ') from pg_class where oid = '%s'::regclass$$)`,
    );
    assert.equal(options.length, 1);
    assert.match(
      options[0]?.result ?? '',
      /autovacuum_vacuum_scale_factor=0.02 autovacuum_vacuum_insert_scale_factor=0.02/,
    );
  });
});

async function createTenant(service: Service, name: string): Promise<Tenant> {
  const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', name);
  await createUser(service, id, 'ada@example.com');
  return { id, key: await createKey(service, id, 'ada@example.com'), jobs: new Map() };
}

/** Returns a file with findings of an account, each with two resources. */
function fileOf(account: string, count: number, time = 1_780_000_000): readonly unknown[] {
  return Array.from({ length: count }, (_, at) =>
    record({
      cloud: { account: { uid: account } },
      finding_info: { uid: `${account}-${at}` },
      resources: [{ uid: `${account}-${at % 10}` }, { uid: 'other' }],
      time,
    }),
  );
}
