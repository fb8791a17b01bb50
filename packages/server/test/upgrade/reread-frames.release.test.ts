import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { blobKey } from '../../src/blobs/blob-store.ts';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { findDimensionFaults } from '../support/dimension-faults.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { record } from '../support/records.ts';
import { until } from '../support/until.ts';
import { startUpgradedService, type UpgradedService } from '../support/upgraded-service.ts';

const COUNT = 600;
const ACCOUNTS = ['111122223333', '444455556666'];
const DELETED_ACCOUNT = '999900001111';

/** The previous release does not store their product, labels, second resource and compliance. */
function file(upload: number, accounts: readonly string[], from: number, to: number): object[] {
  return Array.from({ length: to - from }, (_, at) => recordOf(upload, accounts, from + at));
}

function recordOf(upload: number, accounts: readonly string[], n: number): Record<string, unknown> {
  return record({
    time: 1_780_000_000 + 1000 * upload,
    status_code: (n + upload) % 3 === 0 ? 'PASS' : 'FAIL',
    finding_info: { uid: `finding ${n}` },
    metadata: { event_code: `check_${n % 7}`, ...(n % 5 > 0 && { product: { name: `Scanner ${n % 2}` } }) },
    cloud: { provider: 'aws', account: { uid: accounts[n % accounts.length] } },
    resources: [
      { uid: `arn:${n % 50}`, type: 'Bucket', labels: [`upload:${upload}`, 'team:a'] },
      ...(n % 4 === 0 ? [{ uid: `arn:key-${n % 50}`, name: 'Key', labels: ['second'] }] : []),
    ],
    unmapped: { compliance: { 'CIS-1.5': [`1.${n % 7}`] } },
  });
}

/** Resources with the same name are listed in the order of their creation. */
function sortById(data: Resource | readonly Resource[]): unknown {
  return Array.isArray(data) ? data.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : data;
}

const READS = [
  '/findings?page[size]=100&include=resource',
  '/findings?page[size]=100&filter[product]=Scanner%201',
  '/findings?page[size]=100&filter[product]=',
  '/findings/summary?filter[product]=Scanner%200',
  '/findings/groups?by=resource&page[size]=100',
  '/findings/groups?by=check&filter[product]=Scanner%201',
  '/resources?page[size]=100',
  '/checks?page[size]=100',
  '/providers',
  '/scans',
];

describe('frames that the previous release processed', () => {
  let service: UpgradedService;
  let client: Client;
  before(async () => {
    service = await startUpgradedService();
    client = createClient(service.url, service.key);
    await client.ingest(file(0, ACCOUNTS, 0, COUNT));
    // Half of the findings have newer records in another file.
    await client.ingest(file(1, ACCOUNTS, 0, COUNT / 2));
    await ingestDeletedAccount();
    await service.ownerSql('alter table reread_queue add constraint is_empty check (false)');
    assert.equal((await client.ingest([{}])).attributes.summary.invalid, 1);
    await service.ownerSql('alter table reread_queue drop constraint is_empty');
  });
  after(() => service.leave());

  /** The account is deleted and reappears, with other findings than before. */
  const ingestDeletedAccount = async () => {
    await client.ingest(file(0, [DELETED_ACCOUNT], 0, 100));
    const { body } = await client.get<Resource[]>(`/providers?filter[account]=${DELETED_ACCOUNT}`);
    const { status } = await client.send(`/providers/${body.data[0]?.id}`, { method: 'DELETE' });
    assert.equal(status, 204);
    const removals = 'select count(*)::int from provider_removals';
    await until(async () => (await service.sql<{ count: number }>(removals))[0]?.count === 0);
    await client.ingest(file(1, [DELETED_ACCOUNT], 0, 3));
  };
  const read = async () => {
    const responses = new Map<string, unknown>();
    for (const path of READS) {
      const { status, text } = await client.get(path);
      assert.equal(status, 200, `${path}: ${text}`);
      const { data, included = [], meta } = JSON.parse(text.replaceAll(service.url, ''));
      responses.set(path, { data: sortById(data), included: sortById(included), meta });
    }
    return responses;
  };
  const queued = async () =>
    (await service.sql<{ count: number }>('select count(*)::int from reread_queue'))[0]?.count;
  it('are not queued by this release', async () => {
    assert.equal(await queued(), 0);
  });

  it('are read again, so that their findings have all attributes', async () => {
    const expected = await read();
    service = await service.forgetKeys();
    assert.equal(await queued(), 5);
    service = await service.restartWithWorkers();
    client = createClient(service.url, service.key);
    await until(async () => (await queued()) === 0);
    for (const [path, response] of await read()) assert.deepEqual(response, expected.get(path), path);
    assert.deepEqual(await findDimensionFaults(service.databaseUrl), []);
  });

  itInWholeRun('stay in the queue while the blob store is not mounted', async () => {
    const blobs = path.join(service.dataDir, 'blobs');
    await rename(blobs, `${blobs}-elsewhere`);
    await service.sql('insert into reread_queue select tenant_id, ingestion_id, number from frames');
    await until(async () =>
      service.output.stderr.includes('a frame could not be read again; it will be retried'),
    );
    assert.equal(await queued(), 5);
    await rename(`${blobs}-elsewhere`, blobs);
    await until(async () => (await queued()) === 0);
  });

  itInWholeRun('are read even if the file of an earlier frame cannot be opened', async () => {
    const [first] = await service.sql<{ id: string; requestedAt: Date }>(
      'select id, requested_at as "requestedAt" from ingestions order by id limit 1',
    );
    assert.ok(first !== undefined);
    const file = path.join(service.dataDir, 'blobs', blobKey(service.tenantId, first.id, first.requestedAt));
    await rename(file, `${file}-elsewhere`);
    // Opening a socket fails with ENXIO, also for the superuser.
    const socket = createServer().listen(path.join(service.dataDir, 'socket')).unref();
    await once(socket, 'listening');
    await rename(path.join(service.dataDir, 'socket'), file);
    await service.sql('insert into reread_queue select tenant_id, ingestion_id, number from frames');
    await until(async () => (await queued()) === 0);
    assert.match(service.output.stderr, /ENXIO[^\n]*"msg":"a frame could not be read again; its findings/);
    socket.close();
    await rename(`${file}-elsewhere`, file);
  });

  itInWholeRun('are removed from the queue if they or their files no longer exist', async () => {
    const expected = await read();
    await rm(path.join(service.dataDir, 'blobs', service.tenantId), { recursive: true });
    await service.sql(
      `insert into reread_queue select tenant_id, ingestion_id, number from frames
       union all select tenant_id, gen_random_uuid(), 0 from tenants`,
    );
    await until(async () => (await queued()) === 0);
    assert.match(service.output.stderr, /"msg":"a frame could not be read again; its findings/);
    for (const [path, response] of await read()) assert.deepEqual(response, expected.get(path), path);
  });
});
