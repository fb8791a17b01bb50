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

describe('a backup of one database, restored into another', {
  skip: programs === undefined && 'there is no PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  const sandbox = createSandbox();
  let postgresql: OwnPostgresql;
  before(async () => {
    postgresql = await startPostgresql(programs ?? '');
    // The role that the documentation asks for: row level security binds it, although it owns the tables.
    await postgresql.sql('postgres', `create role ${OWNER} login password '${PASSWORD}'`);
    await postgresql.sql('postgres', `create database own owner ${OWNER}`);
  });
  after(async () => {
    await sandbox.clear();
    await postgresql.remove();
  });

  const ok = async (dataDir: string, words: readonly string[], environment: Environment) => {
    const { code, stderr } = await sandbox.sluice(dataDir, words, environment);
    assert.deepEqual([code, stderr], [0, '']);
  };

  /** The database as a restore has to bring it back. */
  const contentOf = async (service: Service, superuserUrl: string) => ({
    rows: await allRows(superuserUrl),
    schema: await describeSchema(service.sql),
  });

  it('is the same in the embedded database, in that of a role bound by row level security, and back again', async () => {
    const first = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' });
    const second = await createSecondTenant(first);
    const mine = createClient(first.url, first.key);
    await mine.ended((await uploadNew(mine, 40)).id);
    await second.client.ended((await uploadNew(second.client, 60)).id);
    // Rows of every table: errors, warnings, keys; texts that COPY has to escape.
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

    const there = path.join(await sandbox.newDataDir(), 'backup');
    await ok(first.dataDir, ['backup', there], {});
    const DATABASE_URL = postgresql.url('own', OWNER, PASSWORD);
    const ownDataDir = await sandbox.newDataDir();
    await ok(ownDataDir, ['restore', there], { DATABASE_URL });
    const own = await sandbox.startService({ DATABASE_URL, SLUICE_WORKERS: '1' }, ownDataDir);
    assert.deepEqual(await contentOf(own, postgresql.url('own')), original);

    // As the bound role, which sees one tenant at a time.
    const back = path.join(await sandbox.newDataDir(), 'backup');
    await ok(ownDataDir, ['backup', back], { DATABASE_URL });
    const backDataDir = await sandbox.newDataDir();
    await ok(backDataDir, ['restore', back], {});
    const last = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' }, backDataDir);
    assert.deepEqual(await contentOf(last, last.databaseUrl), original);

    // Triggers, indexes and row level security work for what comes next, too.
    for (const [service, key] of [
      [own, second.key],
      [last, first.key],
    ] as const) {
      const client = createClient(service.url, key);
      await client.ended((await uploadNew(client, 5)).id);
    }
    await assertTrueCounts(last);
    await assertTrueCounts({ sql: (text) => postgresql.sql('own', text) });
  });

  it('starts the embedded database for a backup where no service runs, and stops it again', async () => {
    const service = await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' });
    await service.end();
    const folder = path.join(await sandbox.newDataDir(), 'backup');
    await ok(service.dataDir, ['backup', folder], {});
    await assert.rejects(service.connect(), /does not run/);
  });
});
