import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATION_LOCK } from '../../src/db/advisory-locks.ts';
import { createClient } from '../support/client.ts';
import { SESSIONS } from '../support/database-activity.ts';
import { copyEmbeddedCluster } from '../support/embedded-template.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { CLOSING, filePart, partHead } from '../support/multipart.ts';
import { openUpload } from '../support/open-request.ts';
import { postmasterOf } from '../support/postmaster.ts';
import { record } from '../support/records.ts';
import { assertRefused, blobsOf, tracesOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const file = JSON.stringify([record()]);
const head = partHead(filePart(file));

/** A drain period that is longer than any test. */
const DRAIN = { SLUICE_DRAIN_SECONDS: '600' };

describe('shutdown', () => {
  const sandbox = createSandbox();
  let dataDir: string;
  let key: string;
  before(async () => {
    const service = await sandbox.startEmbeddedService();
    ({ dataDir, key } = service);
    await service.end();
  });
  after(() => sandbox.clear());

  const isStopping = (service: Service) => until(async () => service.output.stderr.includes('shutting down'));

  const refusesConnections = ({ url }: Service) =>
    until(() =>
      fetch(url).then(
        () => undefined,
        () => true,
      ),
    );

  for (const signal of isWholeRun ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)) {
    it(`finishes an upload in progress after two ${signal} signals and stops the database`, async () => {
      const service = await sandbox.startEmbeddedService({ LOG_LEVEL: 'info' }, dataDir);
      const exited = once(service.process, 'exit');
      const upload = openUpload({ ...service, key });
      await upload.send(head + file.slice(0, 100));
      service.process.kill(signal);
      await isStopping(service);
      service.process.kill(signal);
      await refusesConnections(service);
      upload.request.end(`${file.slice(100)}\r\n${CLOSING}`);
      assert.equal((await upload.response).status, 202);
      // A later signal would end the process immediately.
      assert.deepEqual(await exited, [0, null]);
      assert.equal(await postmasterOf(dataDir), undefined);
    });
  }

  it('drains after SIGTERM: reports not ready, but still serves requests and then closes their connections', async () => {
    const service = await sandbox.startEmbeddedService({ ...DRAIN, LOG_LEVEL: 'info' }, dataDir);
    const exited = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    await until(async () => service.output.stderr.includes('draining'));
    const ready = await fetch(`${service.url}/health/ready`);
    assert.deepEqual(
      [ready.status, await ready.json()],
      [503, { status: 'fail', reasons: { process: 'the server is shutting down' } }],
    );
    const response = await createClient(service.url, key).upload(file);
    assert.deepEqual([response.status, response.headers.get('connection')], [202, 'close']);
    await sleep(1100);
    // A second signal, late enough not to count as forwarded by npm, ends the drain.
    service.process.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });

  itInWholeRun('does not drain after SIGINT', async () => {
    const service = await sandbox.startEmbeddedService({ ...DRAIN, LOG_LEVEL: 'info' }, dataDir);
    assert.equal(await service.end('SIGINT'), 0);
    assert.doesNotMatch(service.output.stderr, /draining/);
  });

  itInWholeRun(
    'returns 503 for an upload that does not finish before shutdown, and stores nothing',
    async () => {
      const service = await sandbox.startEmbeddedService({ LOG_LEVEL: 'info' }, dataDir);
      const exited = once(service.process, 'exit');
      const before = await tracesOf(service);
      const upload = openUpload({ ...service, key }, { 'idempotency-key': 'stopped' });
      await upload.send(head + file.slice(0, 100));
      await until(async () => (await blobsOf(dataDir)).length > before.blobs.length);
      const from = performance.now();
      service.process.kill('SIGTERM');
      const response = await upload.response;
      assertRefused(response, { status: 503, code: 'service_stopping', detail: /is shutting down/ });
      assert.equal(response.headers.get('retry-after'), '5');
      assert.deepEqual(await exited, [0, null]);
      assert.ok(performance.now() - from < 10_000, 'the shutdown took too long');

      const next = await sandbox.startEmbeddedService({}, dataDir);
      assert.deepEqual(await tracesOf(next), before);
      const repeated = await createClient(next.url, key).upload(file, {
        headers: { 'idempotency-key': 'stopped' },
      });
      assert.deepEqual([repeated.status, repeated.headers.get('idempotency-replayed')], [202, null]);
      await next.end();
    },
  );

  itInWholeRun('exits with code 1 on a second signal during shutdown', async () => {
    const service = await sandbox.startEmbeddedService({ LOG_LEVEL: 'info' }, dataDir);
    const upload = openUpload({ ...service, key });
    await upload.send(head);
    service.process.kill('SIGTERM');
    await isStopping(service);
    await sleep(1500);
    assert.equal(await service.end('SIGTERM'), 1);
    await assert.rejects(upload.response);
  });

  itInWholeRun(
    'completes the first start, prints the API key and stops the database on SIGTERM during startup',
    async () => {
      const newDataDir = await sandbox.newDataDir();
      // On a busy machine, initdb takes longer than a shutdown may.
      await copyEmbeddedCluster(newDataDir);
      const starting = sandbox.startSluice(newDataDir, ['serve'], { LOG_LEVEL: 'info' });
      await starting.printed(/starting PostgreSQL/);
      starting.signal('SIGTERM');
      const { code, stdout } = await starting.ended;
      assert.equal(code, 0);
      assert.equal(await postmasterOf(newDataDir), undefined);

      const [, newKey = ''] = /API key {2,}(\S+)/.exec(stdout) ?? [];
      const service = await sandbox.startEmbeddedService({}, newDataDir);
      assert.equal((await createClient(service.url, newKey).get('/ingestions')).status, 200);
    },
  );

  itInWholeRun(
    'exits within 10 seconds on SIGTERM while waiting for the migration lock at startup',
    {
      timeout: 60_000,
    },
    async () => {
      const service = await sandbox.startEmbeddedService({}, dataDir);
      const holder = await service.connect();
      try {
        await holder.query(
          `alter table schema_migrations drop column checksum, drop column oldest_line;
         delete from schema_migrations where name = '0021-migration-records.sql'`,
        );
        // Holds the migration lock while one migration is pending.
        await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
        const starting = sandbox.startSluice(dataDir, ['serve'], { LOG_LEVEL: 'info' });
        const waiting = `select from ${SESSIONS} where application_name = 'sluice migrate' and wait_event_type = 'Lock'`;
        await until(async () => (await holder.query(waiting)).rowCount === 1);
        const from = performance.now();
        starting.signal('SIGTERM');
        const { code, stdout, stderr } = await starting.ended;
        assert.ok(performance.now() - from < 10_000, 'the shutdown took too long');
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /"signal":"SIGTERM".*shutting down[\s\S]*did not complete in time/);
      } finally {
        await holder.end();
      }
      await service.end();
    },
  );
});
