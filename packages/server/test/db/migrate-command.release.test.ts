import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import pg from 'pg';
import { MIGRATION_LOCK } from '../../src/db/advisory-locks.ts';
import { LOCKS } from '../support/database-activity.ts';
import type { StartedProcess } from '../support/process.ts';
import { createEmptyDatabase, createMigratedDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const LAST = '0021-migration-records.sql';
/** Locks a table in a mode that excludes reads. */
const POLICIES = '0025-direct-policies.sql';
/** The default time limit of reads in the service. */
const READ_LIMIT_MS = 20_000;
const WAITING = `select from ${LOCKS} where relation = 'sluice.findings'::regclass and not granted`;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

interface Status {
  readonly applied: readonly { readonly name: string; readonly applied_at: string }[];
  readonly pending: readonly string[];
  readonly unknown: readonly { readonly name: string; readonly compatible: boolean }[];
  readonly changed: readonly string[];
}

describe('sluice migrate', () => {
  const sandbox = createSandbox();
  let names: string[];
  let DATABASE_URL: string;
  let owner: pg.Client;
  before(async () => {
    names = (await readdir(MIGRATIONS)).sort();
  });
  after(() => sandbox.clear());

  const use = async (url: string) => {
    DATABASE_URL = url;
    owner = new pg.Client({ connectionString: url });
    await owner.connect();
  };
  const release = async () => {
    await owner.end();
  };
  const sluice = (...args: string[]) =>
    sandbox.newDataDir().then((dataDir) => sandbox.sluice(dataDir, args, { DATABASE_URL }));
  const start = async (...args: string[]): Promise<StartedProcess> =>
    sandbox.startSluice(await sandbox.newDataDir(), args, { DATABASE_URL, LOG_LEVEL: 'info' });
  const json = async <Result>(...args: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await sluice(...args, '--json');
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
  };
  const errorOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await sluice(...args);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    return stderr;
  };

  describe('sluice migrate on an empty database', () => {
    before(async () => await use(await createEmptyDatabase()));
    after(release);

    it('lists all migrations of an empty database as pending with --status, without applying them', async () => {
      assert.deepEqual(await json<Status>('migrate', '--status'), {
        applied: [],
        pending: names,
        unknown: [],
        changed: [],
      });
      assert.equal((await owner.query(`select from pg_namespace where nspname = 'sluice'`)).rowCount, 0);
    });

    it('other commands reject a database without a schema and do not change the database', async () => {
      assert.match(
        await errorOf('tenant', 'create', 'Acme'),
        /has no schema yet; to create it, run: sluice migrate/,
      );
      assert.equal((await owner.query(`select from pg_namespace where nspname = 'sluice'`)).rowCount, 0);
    });

    it('applies all migrations once, and then lists them as applied with --status', async () => {
      assert.deepEqual(await json('migrate'), { applied: names });
      const { applied, ...rest } = await json<Status>('migrate', '--status');
      assert.deepEqual(
        applied.map(({ name }) => name),
        names,
      );
      for (const { applied_at } of applied) assert.match(applied_at, TIME);
      assert.deepEqual(rest, { pending: [], unknown: [], changed: [] });
      assert.deepEqual(await json('migrate'), { applied: [] });
      assert.match((await sluice('tenant', 'create', 'Acme')).stdout, /Acme/);
    });
  });

  describe('sluice migrate on a database from an earlier release', () => {
    before(async () => {
      await use(await createMigratedDatabase());
      await owner.query(`alter table sluice.schema_migrations drop column checksum, drop column oldest_line`);
      await owner.query('delete from sluice.schema_migrations where name = $1', [LAST]);
    });
    after(release);

    it('other commands fail and name the pending migrations', async () => {
      const line = await errorOf('tenant', 'create', 'Acme');
      assert.match(
        line,
        /out of date: it lacks 0021-migration-records.sql; to apply .*, run: sluice migrate/,
      );
    });

    it('records the checksum and the compatibility line of every migration', async () => {
      assert.deepEqual(await json('migrate'), { applied: [LAST] });
      const { rows } = await owner.query<{ checksum: string; line: number }>(
        'select checksum, oldest_line as line from sluice.schema_migrations',
      );
      assert.equal(rows.length, names.length);
      for (const { checksum, line } of rows) {
        assert.match(checksum, /^[0-9a-f]{64}$/);
        assert.equal(line, 1);
      }
    });
  });

  describe('sluice migrate on a database with changed or unknown migrations', () => {
    beforeEach(async () => await use(await createMigratedDatabase()));
    afterEach(release);
    const COMMANDS = [['serve'], ['migrate'], ['tenant', 'create', 'Acme']];
    const insert = 'insert into sluice.schema_migrations (name, checksum, oldest_line) values ($1, $2, $3)';

    for (const command of COMMANDS) {
      it(`sluice ${command[0]} rejects a database with a migration whose file has changed`, async () => {
        await owner.query(
          `update sluice.schema_migrations set checksum = repeat('0', 64) where name like '0003%'`,
        );
        assert.match(
          await errorOf(...command),
          /changed after they were applied: 0003-findings.sql; install/,
        );
      });

      it(`sluice ${command[0]} rejects a newer schema from a later compatibility line`, async () => {
        await owner.query(insert, ['9999-contract.sql', '0'.repeat(64), 2]);
        assert.match(
          await errorOf(...command),
          /schema is too new for this version.* 9999-contract.sql; install/,
        );
      });

      it(`sluice ${command[0]} accepts a newer schema from the same compatibility line`, async () => {
        await owner.query(insert, ['9999-expand.sql', '0'.repeat(64), 1]);
        const { code, stderr } = await sluice(...command);
        assert.deepEqual([code, stderr], [0, '']);
      });
    }

    it('rejects an unknown migration without a compatibility line', async () => {
      await owner.query(insert, ['9999-unknown.sql', null, null]);
      assert.match(await errorOf('serve'), /schema is too new for this version.* 9999-unknown.sql/);
    });

    it('lists changed and unknown migrations with --status', async () => {
      await owner.query(
        `update sluice.schema_migrations set checksum = repeat('0', 64) where name like '0003%'`,
      );
      await owner.query(insert, ['9998-expand.sql', '0'.repeat(64), 1]);
      await owner.query(insert, ['9999-contract.sql', '0'.repeat(64), 2]);
      const { changed, unknown } = await json<Status>('migrate', '--status');
      assert.deepEqual(changed, ['0003-findings.sql']);
      assert.deepEqual(
        unknown.map(({ name, compatible }) => [name, compatible]),
        [
          ['9998-expand.sql', true],
          ['9999-contract.sql', false],
        ],
      );
      const { stdout } = await sluice('migrate', '--status');
      assert.match(stdout, /^changed {2}0003-findings.sql {2}/m);
      assert.match(stdout, /^unknown {2}9999-contract.sql {2}\S+ {2}incompatible$/m);
    });
  });

  describe('sluice migrate while another session holds a lock', () => {
    beforeEach(async () => await use(await createMigratedDatabase()));
    afterEach(release);

    it('starts without waiting for locks if no migration is pending', async () => {
      await owner.query('begin; lock table sluice.findings in exclusive mode');
      await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const { code, stderr } = await sluice('serve');
      assert.deepEqual([code, stderr], [0, '']);
    });

    for (const [description, lock, test] of [
      ['the migration lock', `select pg_advisory_xact_lock(${MIGRATION_LOCK})`, it],
      ['a table lock', 'lock table sluice.schema_migrations in row exclusive mode', it],
    ] as const) {
      test(`reports the session that holds ${description} and continues the migration once the lock is released`, async () => {
        await owner.query(
          `alter table sluice.schema_migrations drop column checksum, drop column oldest_line`,
        );
        await owner.query('delete from sluice.schema_migrations where name = $1', [LAST]);
        await owner.query(`set application_name = 'night shift'; begin; ${lock}`);
        const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
        for (const command of [['serve'], ['migrate', '--json']]) {
          const started = await start(...command);
          await started.printed(
            new RegExp(
              `is waiting for a lock held by process ${rows[0]?.pid} \\(role \\w+, application 'night shift'`,
            ),
          );
          if (command[0] !== 'migrate') {
            started.signalGroup('SIGKILL');
            await started.exited;
            continue;
          }
          await owner.query('commit');
          const { code, stdout } = await started.ended;
          assert.deepEqual([code, JSON.parse(stdout)], [0, { applied: [LAST] }]);
        }
        // The killed process no longer waits in the lock queue.
        await until(
          async () => (await owner.query(`select from ${LOCKS} where locktype = 'advisory'`)).rowCount === 0,
        );
      });
    }

    it('lets reads through while a transaction that has read a table delays its migration', async () => {
      await owner.query('delete from sluice.schema_migrations where name = $1', [POLICIES]);
      await owner.query(
        'alter policy tenant on sluice.findings using (tenant_id = (select sluice.current_tenant()))',
      );
      const reader = new pg.Client({
        connectionString: DATABASE_URL,
        options: `-c statement_timeout=${READ_LIMIT_MS}`,
      });
      await reader.connect();
      try {
        await owner.query(
          `set application_name = 'night shift'; begin; select count(*) from sluice.findings`,
        );
        const migration = await start('migrate', '--json');
        // The migration waits twice. Each read completes while the other transaction is still open.
        for (let waits = 0; waits < 2; waits++) {
          await until(async () => (await reader.query(WAITING)).rowCount === 1);
          await reader.query('select count(*) from sluice.findings');
        }
        // Printed once, although the migration waited twice.
        const { stdout, stderr } = migration.output;
        assert.equal(stdout, '');
        assert.match(
          stderr,
          /^[^\n]* is waiting for a lock held by process \d+ [^\n]*'night shift'[^\n]*\n$/,
        );
        await owner.query('commit');
        const { code, stdout: applied } = await migration.ended;
        assert.deepEqual([code, JSON.parse(applied)], [0, { applied: [POLICIES] }]);
      } finally {
        await reader.end();
      }
    });
  });
});
