import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { allRows, uploadNew } from '../support/backups.ts';
import { createClient } from '../support/client.ts';
import { describeSchema } from '../support/describe-schema.ts';
import { findPostgresql, type OwnPostgresql, startPostgresql } from '../support/own-postgresql.ts';
import { record, without } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import type { Environment, Service } from '../support/service.ts';
import { assertTrueCounts } from '../support/true-counts.ts';

const programs = await findPostgresql();
const OWNER = 'findings_owner';
const PASSWORD = 'of-the-owner';

describe('restoring a backup into another database', {
  skip: programs === undefined && 'requires PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  const sandbox = createSandbox();
  let postgresql: OwnPostgresql;
  before(async () => {
    postgresql = await startPostgresql(programs ?? '');
    // The role that the documentation recommends. Row level security applies to this role even though it owns the
    // tables.
    await postgresql.sql('postgres', `create role ${OWNER} login password '${PASSWORD}'`);
    await postgresql.sql('postgres', `create database external owner ${OWNER}`);
  });
  after(async () => {
    await sandbox.clear();
    await postgresql.remove();
  });

  const succeed = async (dataDir: string, args: readonly string[], environment: Environment) => {
    const { code, stderr } = await sandbox.sluice(dataDir, args, environment);
    assert.deepEqual([code, stderr], [0, '']);
  };

  /** Returns the rows and the schema of the database. */
  const contentOf = async (service: Service, superuserUrl: string) => ({
    rows: await allRows(superuserUrl),
    schema: await describeSchema(service.sql),
  });

  it('restores the embedded database to an external database and back with identical rows and schema', async () => {
    const first = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' });
    const second = await createSecondTenant(first);
    const client = createClient(first.url, first.key);
    await client.ended((await uploadNew(client, 40)).id);
    await second.client.ended((await uploadNew(second.client, 60)).id);
    // Adds errors, warnings, idempotency keys, and text that COPY must escape.
    await second.client.ingest(
      [
        record({ status_detail: 'a\ttab, a\nline, a \\ and \u{1f600}', resources: 'none' }),
        without('finding_info.uid'),
      ],
      { headers: { 'idempotency-key': 'a' } },
    );
    const original = await contentOf(first, first.databaseUrl);
    for (const table of ['findings', 'ingestion_errors', 'ingestion_warnings', 'idempotency_keys', 'scans'])
      assert.ok(original.rows[table]?.length, table);

    const outbound = path.join(await sandbox.newDataDir(), 'backup');
    await succeed(first.dataDir, ['backup', outbound], {});
    const DATABASE_URL = postgresql.url('external', OWNER, PASSWORD);
    const externalDataDir = await sandbox.newDataDir();
    await succeed(externalDataDir, ['restore', outbound], { DATABASE_URL });
    const external = await sandbox.startService({ DATABASE_URL, SLUICE_WORKERS: '1' }, externalDataDir);
    assert.deepEqual(await contentOf(external, postgresql.url('external')), original);

    // This role is subject to row level security and reads one tenant at a time.
    const inbound = path.join(await sandbox.newDataDir(), 'backup');
    await succeed(externalDataDir, ['backup', inbound], { DATABASE_URL });
    const lastDataDir = await sandbox.newDataDir();
    await succeed(lastDataDir, ['restore', inbound], {});
    const last = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' }, lastDataDir);
    assert.deepEqual(await contentOf(last, last.databaseUrl), original);

    // Triggers, indexes and row level security also work for new uploads.
    for (const [service, key] of [
      [external, second.key],
      [last, first.key],
    ] as const) {
      const uploader = createClient(service.url, key);
      await uploader.ended((await uploadNew(uploader, 5)).id);
    }
    await assertTrueCounts(last);
    await assertTrueCounts({ sql: (text) => postgresql.sql('external', text) });
  });

  it('starts and stops the embedded database for a backup if no service is running', async () => {
    const service = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' });
    await service.end();
    const folder = path.join(await sandbox.newDataDir(), 'backup');
    await succeed(service.dataDir, ['backup', folder], {});
    await assert.rejects(service.connect(), /is not running/);
  });
});
