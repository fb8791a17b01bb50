import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { type Client, createClient } from '../../support/client.ts';
import { LOCKS, SESSIONS } from '../../support/database-activity.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startEmbeddedService, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Returns a file with this many records; a frame has 5,000. */
function fileOf(records: number): unknown[] {
  return Array.from({ length: records }, (_, at) => record({ finding_info: { uid: `finding-${at}` } }));
}

describe('workers', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startEmbeddedService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  it('gives workers a lower priority than requests, in the service and in the database', {
    skip: process.platform !== 'linux',
  }, async () => {
    await client.ingest([record()]);
    // The 19th field of stat, the 17th after the name, is the nice value (proc_pid_stat(5)).
    const niceOf = async (file: string) =>
      Number((await readFile(file, 'utf8')).replace(/^.*\) /, '').split(' ')[16]);
    const { pid } = service.process;
    const threads = await readdir(`/proc/${pid}/task`);
    const niceValues = await Promise.all(threads.map((thread) => niceOf(`/proc/${pid}/task/${thread}/stat`)));
    assert.equal(await niceOf(`/proc/${pid}/stat`), 0);
    // The two threads are the frame thread and the worker thread.
    assert.equal(niceValues.filter((value) => value === 10).length, 2, niceValues.join());
    const backends = await service.sql(
      `select pid, application_name = 'sluice worker' as works from ${SESSIONS} where application_name like 'sluice%'`,
    );
    for (const { pid, works } of backends) {
      assert.equal(await niceOf(`/proc/${pid}/stat`), works === true ? 10 : 0);
    }
    assert.ok(backends.some(({ works }) => works));
  });

  it('alternates between tenants, so that many uploads of one tenant do not delay another tenant', async () => {
    const { client: otherClient } = await createSecondTenant(service);
    const file = JSON.stringify(fileOf(100));
    // All jobs are pending before the first job starts, so that the speed of the uploads does not matter.
    const release = await holdPending(service);
    const queued = await Promise.all(Array.from({ length: 60 }, () => client.upload(file)));
    const { body: last } = await otherClient.upload([record()]);
    await release();
    const small = await otherClient.ended(last.data.id);
    const processedFirst = await service.sql(
      'select count(*)::int from ingestions where completed_at < $1 and id = any($2)',
      [small.attributes.completed_at, queued.map(({ body }) => body.data.id)],
    );
    // Allows for frames already in progress, and for one frame of the other tenant per slot.
    assert.ok(
      Number(processedFirst[0]?.count) <= 8,
      `${processedFirst[0]?.count} uploads of the other tenant were processed first`,
    );
    for (const { body } of queued) await client.ended(body.data.id);
  });

  itInWholeRun('leaves a slot for other jobs, no matter how long the frames of one job take', async () => {
    const owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
    const waitingFrames = async () =>
      (await service.sql(`select from ${LOCKS} where locktype = 'advisory' and objid = 77 and not granted`))
        .length;
    try {
      await owner.query('select pg_advisory_lock(77)');
      await service.sql(`create function linger() returns trigger language plpgsql as $$
        begin if new.uid like 'slow-%' then perform pg_advisory_xact_lock_shared(77); end if; return new; end $$`);
      await service.sql(
        'create trigger linger before insert on findings for each row execute function linger()',
      );
      const slowRecords = Array.from({ length: 20_001 }, (_, at) =>
        record({ finding_info: { uid: `slow-${at}` } }),
      );
      const { id } = (
        await client.upload(new Uint8Array(gzipSync(JSON.stringify(slowRecords), { level: 1 })))
      ).body.data;
      await until(async () => (await waitingFrames()) === 3);
      for (let upload = 0; upload < 3; upload++)
        assert.equal((await client.ingest([record()])).attributes.status, 'completed');
      assert.equal(await waitingFrames(), 3);
      await owner.query('select pg_advisory_unlock(77)');
      assert.equal((await client.ended(id)).attributes.status, 'completed');
      await service.sql('drop trigger linger on findings');
    } finally {
      await owner.end();
    }
  });

  itInWholeRun(
    'reports a processed count that never decreases during a job and finally equals the total',
    async () => {
      const { body } = await client.upload(fileOf(25_001));
      const counts: number[] = [];
      for (;;) {
        const { attributes } = (await client.get(`/ingestions/${body.data.id}`)).body.data;
        counts.push(attributes.summary.processed);
        if (attributes.completed_at !== null) break;
        await sleep(5);
      }
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );
      assert.equal(counts.at(-1), 25_001);
      assert.ok(new Set(counts).size > 2, 'no intermediate progress was observed');
    },
  );

  it('completes a frame whose blob is temporarily missing, and processes other frames in the meantime', async () => {
    await service.sql(`create function hold() returns trigger language plpgsql as $$
      begin new.available_at := 'infinity'; return new; end $$`);
    await service.sql(
      'create trigger hold before insert on frame_queue for each row execute function hold()',
    );
    const { id } = (await client.upload([record()])).body.data;
    const blobs = path.join(service.dataDir, 'blobs');
    const name =
      (await readdir(blobs, { recursive: true })).find((entry) => entry.includes(id)) ?? assert.fail();
    await rename(path.join(blobs, name), path.join(blobs, 'for-a-moment'));
    await service.sql('drop trigger hold on frame_queue');
    await service.sql('update frame_queue set available_at = now()');
    await until(async () => {
      const [frame] = await service.sql('select interruptions from frames where ingestion_id = $1', [id]);
      return Number(frame?.interruptions) >= 2;
    });
    assert.equal((await client.ingest([record()])).attributes.status, 'completed');
    await rename(path.join(blobs, 'for-a-moment'), path.join(blobs, name));
    assert.equal((await client.ended(id)).attributes.status, 'completed');
  });

  itInWholeRun('resumes the job of a killed service and counts each record once', async () => {
    const { body } = await client.upload(fileOf(20_000));
    await service.end('SIGKILL');
    const next = await startService({}, service.dataDir);
    try {
      const job = await createClient(next.url, service.key).ended(body.data.id);
      assert.deepEqual(job.attributes.summary, { total: 20_000, processed: 20_000, invalid: 0 });
      assert.equal(job.attributes.status, 'completed');
    } finally {
      await next.end();
    }
  });
});
