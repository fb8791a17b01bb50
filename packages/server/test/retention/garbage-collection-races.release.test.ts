import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { GARBAGE_COLLECTION_LOCK } from '../../src/db/advisory-locks.ts';
import { ageFile, ageJob, countsOf, type GcReport, NOTHING, writeOrphan } from '../support/aged-data.ts';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { LOCKS } from '../support/database-activity.ts';
import { record } from '../support/records.ts';
import { blobsOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The date folder of the orphaned blobs. */
const LONG_AGO = '2026-01-01';
const ROUNDS = 6;
const REPEATED_JOBS = 60;

describe('garbage collection during concurrent work', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => sandbox.clear());

  const gc = async () => await service.sluiceJson<GcReport>('gc');
  /** Creates an unreferenced job that ended this many days ago. */
  const createUnreferencedJob = async (days: number) => {
    const uid = randomUUID();
    const { id } = await client.ingest([record({ finding_info: { uid } })]);
    await client.ingest([record({ finding_info: { uid }, time: 1_780_000_100 })]);
    await ageJob(service, id, days);
    return id;
  };
  const fileOf = async (id: string) =>
    (await blobsOf(service.dataDir)).find((file) => file.includes(id)) ?? '';
  const createOrphan = (hours: number) => writeOrphan(service, hours, LONG_AGO);
  /** Runs the work while all statements of this type on jobs are blocked, until the work calls `unblock`. */
  const withBlockedStatement = async (
    statement: 'delete' | 'update',
    work: (unblock: () => Promise<void>) => Promise<void>,
  ) => {
    const holder = await service.connect();
    await holder.query('select pg_advisory_lock(1, 1)');
    await holder.query(
      `create or replace function wait_for_test() returns trigger language plpgsql as
         $$ begin perform pg_advisory_lock_shared(1, 1); perform pg_advisory_unlock_shared(1, 1); return null; end $$;
       create trigger wait_for_test before ${statement} on ingestions execute function wait_for_test()`,
    );
    const unblock = async () => {
      await holder.query('select pg_advisory_unlock(1, 1)');
    };
    try {
      await work(unblock);
    } finally {
      await unblock();
      await holder.query('drop trigger wait_for_test on ingestions');
      await holder.end();
    }
  };
  const isWaiting = async () => {
    const rows = await service.sql(
      `select from ${LOCKS} where locktype = 'advisory' and classid = 1 and objid = 1 and not granted`,
    );
    return rows.length > 0;
  };

  it('loses no data of repeated uploads during continuous garbage collection', async () => {
    let isOver = false;
    const uploaded: { readonly id: string; readonly uid: string; readonly text: string }[] = [];
    const uploads = Array.from({ length: 3 }, async (_, lane) => {
      for (let round = 0; !isOver; round++) {
        const uid = `lane ${lane} round ${round}`;
        const text = JSON.stringify([record({ finding_info: { uid } })]);
        const headers = { 'idempotency-key': `lane-${lane}-${round}` };
        const { status, body } = await client.upload(text, { headers });
        assert.equal(status, 202);
        await sleep(50);
        uploaded.push({ id: body.data.id, uid, text });
      }
    });
    const aging = (async () => {
      while (!isOver) {
        for (const file of await blobsOf(service.dataDir))
          if (!file.includes(LONG_AGO)) await ageFile(file, 23.5).catch(() => undefined);
        await sleep(50);
        await service.sql(
          `update ingestions set completed_at = completed_at - interval '40 days' where completed_at > now() - interval '1 day'`,
        );
      }
    })();
    let [orphans, collected] = [0, 0];
    try {
      for (let round = 0; round < ROUNDS || uploaded.length <= 20; round++) {
        const orphaned = [await createOrphan(30), await createOrphan(30)];
        orphans += orphaned.length;
        collected += countsOf(await gc()).orphan_blobs;
        const remaining = await blobsOf(service.dataDir);
        for (const file of orphaned) assert.ok(!remaining.includes(file));
      }
    } finally {
      isOver = true;
      await Promise.all([...uploads, aging]);
    }
    assert.equal(collected, orphans);
    for (const { id, uid, text } of uploaded) {
      assert.equal((await client.ended(id)).attributes.status, 'completed');
      const file = await client.get(`/ingestions/${id}/file`);
      assert.deepEqual([file.status, JSON.stringify(file.body)], [200, text]);
      const findings = await client.get<Resource[]>(`/findings?filter[ingestion]=${id}`);
      const created = await client.get<Resource>(`/findings/${findings.body.data[0]?.id}`);
      assert.deepEqual([created.status, created.body.data.attributes.uid], [200, uid]);
    }
  });

  it('reports that another garbage collection is running, and exits', async () => {
    const other = await service.connect();
    try {
      await other.query('select pg_advisory_lock($1::bigint)', [GARBAGE_COLLECTION_LOCK]);
      const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, ['gc', '--json']);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^sluice: another garbage collection or a backup is running; try again later/);
      assert.equal((await sandbox.sluice(service.dataDir, ['gc', '--dry-run'])).code, 0);
    } finally {
      await other.end();
    }
  });

  it('collects everything once with two concurrent commands', async () => {
    const id = await createUnreferencedJob(31);
    await withBlockedStatement('update', async (unblock) => {
      const first = sandbox.sluice(service.dataDir, ['gc', '--json']);
      await until(isWaiting);
      assert.equal((await sandbox.sluice(service.dataDir, ['gc', '--json'])).code, 1);
      assert.notEqual(await fileOf(id), '');
      await unblock();
      const report: GcReport = JSON.parse((await first).stdout);
      assert.deepEqual(countsOf(report), { ...NOTHING, files: 1 });
    });
    assert.equal(await fileOf(id), '');
  });

  it('completes on the next run after being killed partway through a run', async () => {
    const [file, job] = [await createUnreferencedJob(31), await createUnreferencedJob(366)];
    await withBlockedStatement('update', async () => {
      const killed = sandbox.startSluice(service.dataDir, ['gc']);
      await until(isWaiting);
      killed.signalGroup('SIGKILL');
      await killed.exited;
    });
    assert.deepEqual([(await fileOf(file)) !== '', (await fileOf(job)) !== ''], [true, true]);
    // A kill cannot be timed between the commit and the removal of the blob, so the test recreates the resulting state.
    const remaining = await fileOf(file);
    await service.sql('update ingestions set blob_removed_at = now() where id = $1', [file]);
    await ageFile(remaining, 25);
    const { jobs, files, orphan_blobs } = countsOf(await until(() => gc().catch(() => undefined)));
    assert.deepEqual({ jobs, files, orphan_blobs }, { jobs: 1, files: 0, orphan_blobs: 1 });
    assert.deepEqual([await fileOf(file), await fileOf(job)], ['', '']);
  });

  it('accepts a retried request while its idempotency key is being collected', async () => {
    const text = JSON.stringify([record({ finding_info: { uid: 'retried' } })]);
    const upload = () => client.upload(text, { headers: { 'idempotency-key': 'retried' } });
    const ids = new Set<string>();
    let isOver = false;
    const retries = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status, body } = await upload();
        assert.equal(status, 202, JSON.stringify(body));
        ids.add(body.data.id);
      }
    });
    const collector = await service.connect();
    try {
      for (const start = Date.now(); ids.size < REPEATED_JOBS && Date.now() - start < 20_000; )
        await collector.query(`delete from idempotency_keys where key = 'retried'`);
    } finally {
      isOver = true;
      await Promise.all(retries);
      await collector.end();
    }
    assert.ok(ids.size > 10, `only ${ids.size} jobs were created, too few for the test`);
    for (const id of ids) assert.equal((await client.ended(id)).attributes.status, 'completed');
    assert.doesNotMatch(service.output.stderr, /a row that this transaction requires/);
  });

  it('returns a complete file or record, or 410, while files are being collected', async () => {
    const jobs = await Promise.all(Array.from({ length: 6 }, () => createUnreferencedJob(31)));
    const uid = 'read while replaced';
    const created = await client.ingest([record({ finding_info: { uid } })]);
    const findings = await client.get<Resource[]>(`/findings?filter[ingestion]=${created.id}`);
    const finding = findings.body.data[0]?.id;
    let isOver = false;
    const statuses = new Set<number>();
    const reading = [...jobs.map((id) => `/ingestions/${id}/file`), `/findings/${finding}`].map(
      async (address) => {
        while (!isOver) statuses.add((await client.get(address)).status);
      },
    );
    try {
      for (let round = 1; round <= 3; round++) {
        await client.ingest([record({ finding_info: { uid }, time: 1_780_000_000 + round })]);
        await service.sql(
          `update ingestions set completed_at = now() - interval '40 days' where completed_at is not null`,
        );
        await gc();
      }
    } finally {
      isOver = true;
      await Promise.all(reading);
    }
    assert.deepEqual([...statuses].sort(), [200, 410]);
    assert.equal((await client.get(`/findings/${finding}`)).status, 200);
  });
});
