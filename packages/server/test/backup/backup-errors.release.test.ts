import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { GARBAGE_COLLECTION_LOCK } from '../../src/db/advisory-locks.ts';
import { type BackupSummary, faultsOf, hasSchema, readManifestFile, uploadNew } from '../support/backups.ts';
import { type Client, createClient } from '../support/client.ts';
import { createEmptyDatabase, dropDatabase } from '../support/run-cluster.ts';
import { type S3Server, startS3Server } from '../support/s3-server.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { mountSmallFileSystem } from '../support/small-file-system.ts';
import { until } from '../support/until.ts';

describe('sluice backup and sluice restore', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  /** A valid backup of the service. */
  let folder: string;
  let databaseUrl: string;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    for (const count of [1, 30]) await client.ended((await uploadNew(client, count)).id);
    folder = path.join(await sandbox.newDataDir(), 'backup');
    await service.sluice('backup', folder);
    databaseUrl = await createEmptyDatabase();
  });
  after(async () => {
    await sandbox.clear();
    await dropDatabase(databaseUrl);
  });

  const filesIn = async (of: string) =>
    (await readdir(of, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));

  /** Restores into the empty database. Resolves with the error, after checking that nothing was written. */
  const errorOf = async (from: string): Promise<string> => {
    const dataDir = await sandbox.newDataDir();
    const { code, stdout, stderr } = await sandbox.sluice(dataDir, ['restore', from], {
      DATABASE_URL: databaseUrl,
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(await hasSchema(databaseUrl), false);
    assert.deepEqual(await filesIn(dataDir), []);
    return stderr;
  };

  const damagedCopy = async (damage: (copy: string) => Promise<void>): Promise<string> => {
    const copy = path.join(await sandbox.newDataDir(), 'copy');
    await cp(folder, copy, { recursive: true });
    await damage(copy);
    return copy;
  };

  const flipByte = async (file: string) => {
    const bytes = await readFile(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    await writeFile(file, bytes);
  };

  const blobOf = async (copy: string) => {
    const blob = (await filesIn(path.join(copy, 'blobs'))).find((file) => file.endsWith('.zst'));
    if (blob === undefined) throw new Error('the backup contains no blob');
    return blob;
  };

  it('writes backup files that only their owner can read', async () => {
    const files = await filesIn(folder);
    assert.ok(files.length > 20);
    for (const file of files) assert.equal((await stat(file)).mode & 0o777, 0o600, file);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });

  for (const [description, find] of [
    ['a table', async (copy: string) => path.join(copy, 'tables', 'findings.copy.zst')],
    ['a blob', blobOf],
    ['the manifest', async (copy: string) => path.join(copy, 'manifest.json')],
    ['the blob list', async (copy: string) => path.join(copy, 'blobs.jsonl')],
  ] as const) {
    it(`restores nothing from a backup with a flipped byte in ${description}`, async () => {
      const copy = await damagedCopy(async (damaged) => flipByte(await find(damaged)));
      const stderr = await errorOf(copy);
      assert.match(stderr, /^sluice: .*\b(is damaged)\b.*another backup\n$/);
      assert.ok(stderr.includes(await find(copy)));
    });
  }

  for (const [description, find] of [
    ['a table', async (copy: string) => path.join(copy, 'tables', 'findings.copy.zst')],
    ['a blob', blobOf],
  ] as const) {
    it(`restores nothing from a backup that lacks the file of ${description}`, async () => {
      let missing = '';
      const copy = await damagedCopy(async (damaged) => {
        missing = await find(damaged);
        await rm(missing);
      });
      const stderr = await errorOf(copy);
      assert.equal(
        stderr,
        `sluice: the backup is incomplete: ${missing} is missing or too short; nothing was restored, so use another backup\n`,
      );
    });
  }

  it('restores nothing from an interrupted backup or from a folder without a backup', async () => {
    const copy = await damagedCopy((damaged) => rm(path.join(damaged, 'manifest.json')));
    for (const from of [copy, path.join(copy, 'nothing')])
      assert.equal(
        await errorOf(from),
        `sluice: ${from} is not a complete backup: it contains no manifest.json, which 'sluice backup' writes last\n`,
      );
  });

  it('backs up only into a new or empty folder', async () => {
    const parent = await sandbox.newDataDir();
    const before = await filesIn(folder);
    const rejected = await sandbox.sluice(service.dataDir, ['backup', folder]);
    assert.deepEqual(
      [rejected.code, rejected.stderr],
      [1, `sluice: ${folder} is not empty; choose a new folder for the backup\n`],
    );
    assert.deepEqual(await filesIn(folder), before);
    await mkdir(path.join(parent, 'empty'));
    assert.equal((await sandbox.sluice(service.dataDir, ['backup', path.join(parent, 'empty')])).code, 0);
    const usage = await sandbox.sluice(service.dataDir, ['backup']);
    assert.deepEqual(
      [usage.code, usage.stderr.split('\n')[0]],
      [2, "sluice: missing required argument 'folder'"],
    );
  });

  it('restores only into an empty database and an empty blob store', async () => {
    const used = await sandbox.sluice(service.dataDir, ['restore', folder]);
    assert.equal(used.code, 1);
    assert.match(
      used.stderr,
      /^sluice: the database already contains tables in the schema sluice; set SLUICE_DATA_DIR/,
    );
    const blobs = pathToFileURL(path.join(service.dataDir, 'blobs')).href;
    const before = await filesIn(path.join(service.dataDir, 'blobs'));
    const shared = await sandbox.sluice(await sandbox.newDataDir(), ['restore', folder], {
      DATABASE_URL: databaseUrl,
      SLUICE_BLOB_STORE: blobs,
    });
    assert.equal(shared.code, 1);
    assert.match(shared.stderr, /^sluice: the blob store is not empty/);
    assert.equal(await hasSchema(databaseUrl), false);
    assert.deepEqual(await filesIn(path.join(service.dataDir, 'blobs')), before);
  });

  it('rejects a backup with a migration from a newer version, and names the migration', async () => {
    await service.ownerSql(
      `insert into schema_migrations (name, oldest_line) values ('9999-from-the-future.sql', 1)`,
    );
    const newer = path.join(await sandbox.newDataDir(), 'newer');
    try {
      await service.sluice('backup', newer);
    } finally {
      await service.ownerSql(`delete from schema_migrations where name like '9999%'`);
    }
    assert.match(
      await errorOf(newer),
      /^sluice: the backup contains the unknown migration 9999-from-the-future\.sql; restore it with/,
    );
  });

  it('reports a blob that is missing from the blob store, and backs up all other data', async () => {
    const missing = await uploadNew(client, 2);
    await client.ended(missing.id);
    const file =
      (await filesIn(path.join(service.dataDir, 'blobs'))).find((name) => name.includes(missing.id)) ?? '';
    await rm(file);
    const partial = path.join(await sandbox.newDataDir(), 'partial');
    const { code, stdout, stderr } = await sandbox.sluice(service.dataDir, ['backup', partial, '--json']);
    const summary: BackupSummary = JSON.parse(stdout);
    assert.deepEqual([code, summary.missing_blobs], [0, 1]);
    assert.match(
      stderr,
      new RegExp(`^sluice: skipped a blob: the blob \\S+${missing.id}\\S+ does not exist\n$`),
    );
    const url = await createEmptyDatabase();
    const dataDir = await sandbox.newDataDir();
    const restored = await sandbox.sluice(dataDir, ['restore', partial, '--json'], { DATABASE_URL: url });
    assert.deepEqual([restored.code, JSON.parse(restored.stdout)], [0, summary]);
    await dropDatabase(url);
    await service.sql('delete from ingestions where id = $1', [missing.id]);
  });

  describe('sluice backup and sluice restore with blobs in S3', () => {
    let s3: S3Server;
    before(async () => {
      s3 = await startS3Server();
    });
    after(() => s3.stop());

    it('removes the data of a failed restore so that the next restore succeeds', async () => {
      let putCount = 0;
      s3.proxy.rule = ({ operation }) => {
        if (operation !== 'put' || ++putCount < 2) return undefined;
        return { type: 'status', status: 403, code: 'AccessDenied' };
      };
      const dataDir = await sandbox.newDataDir();
      const into = { ...s3.environment, DATABASE_URL: databaseUrl };
      const failed = await sandbox.sluice(dataDir, ['restore', folder], into);
      assert.equal(failed.code, 1);
      assert.match(
        failed.stderr,
        /^sluice: the restore failed: .*AccessDenied.*everything it wrote has been removed\n$/,
      );
      assert.ok(putCount >= 2);
      assert.deepEqual([await s3.objects(), await hasSchema(databaseUrl)], [[], false]);
      s3.proxy.rule = () => undefined;
      const retried = await sandbox.sluice(dataDir, ['restore', folder], into);
      assert.deepEqual([retried.code, retried.stderr], [0, '']);
    });
  });

  it('fails with a one-line error and removes the backup if the database closes the connection', async () => {
    const interrupted = path.join(await sandbox.newDataDir(), 'interrupted');
    const other = await service.connect();
    try {
      // Takes the garbage collection lock, so that the backup waits.
      await other.query('select pg_advisory_lock($1::bigint)', [GARBAGE_COLLECTION_LOCK]);
      const running = sandbox.startSluice(service.dataDir, ['backup', interrupted]);
      const sessions = `from pg_stat_activity where datname = current_database() and application_name = 'sluice backup'`;
      await until(async () => (await other.query(`select ${sessions}`)).rowCount === 1);
      // The backup waits for this table after writing other tables.
      await other.query('begin; lock table findings in access exclusive mode');
      await other.query('select pg_advisory_unlock($1::bigint)', [GARBAGE_COLLECTION_LOCK]);
      await until(async () => {
        const { rowCount } = await other.query(
          `select pg_terminate_backend(pid) ${sessions} and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      });
      const { code, stdout, stderr } = await running.ended;
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^sluice: the backup failed: .*terminat.*; everything it wrote has been removed\n$/,
      );
      await assert.rejects(stat(interrupted), { code: 'ENOENT' });
    } finally {
      await other.end();
    }
  });

  it('fails with a one-line error and removes the backup if the backup disk is full', async (t) => {
    const disk = await mountSmallFileSystem('64k');
    if ('reason' in disk) return t.skip(disk.reason);
    try {
      const { code, stderr } = await sandbox.sluice(service.dataDir, ['backup', path.join(disk.folder, 'b')]);
      assert.equal(code, 1);
      assert.match(stderr, /^sluice: the backup failed: ENOSPC.*; everything it wrote has been removed\n$/);
      assert.deepEqual(await readdir(disk.folder), []);
    } finally {
      await disk.remove();
    }
  });

  it('records the row count of each table in the manifest', async () => {
    const { tables } = await readManifestFile(folder);
    const counts = new Map(tables.map(({ name, rows }) => [name, rows]));
    assert.equal(counts.get('findings'), 31);
    assert.equal(counts.get('ingestions'), 2);
    assert.equal(counts.has('blob_store'), false);
    assert.deepEqual(await faultsOf(client, await uploadNew(client, 1)), []);
  });
});
