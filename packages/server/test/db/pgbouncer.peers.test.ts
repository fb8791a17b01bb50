import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openConnection } from '../../src/db/connect.ts';
import { findPostgresql, freePort, type OwnPostgresql, startPostgresql } from '../support/own-postgresql.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import { serverAccount } from '../support/server-account.ts';

/** The path of PgBouncer on Debian. */
const PGBOUNCER = '/usr/sbin/pgbouncer';
const programs = await findPostgresql();
const missing = [
  programs === undefined && 'requires PostgreSQL 15 or newer in /usr/lib/postgresql',
  !existsSync(PGBOUNCER) && `requires ${PGBOUNCER}`,
].find((reason) => reason !== false);

describe('PgBouncer in front of an external PostgreSQL', { skip: missing }, () => {
  const sandbox = createSandbox();
  const folders: string[] = [];
  let postgresql: OwnPostgresql;
  before(async () => {
    postgresql = await startPostgresql(programs ?? '');
    await postgresql.sql('postgres', `create role owner login password 'of-the-owner'`);
    for (const mode of ['session', 'transaction', 'statement'])
      await postgresql.sql('postgres', `create database of_${mode} owner owner`);
    await postgresql.sql('postgres', 'create database of_superuser');
  });
  after(async () => {
    await sandbox.clear();
    await postgresql?.remove();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /**
   * Starts PgBouncer with default settings except for the pool mode. Resolves with a function that creates connection
   * strings.
   */
  const startPgBouncer = async (mode: string) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pgbouncer-'));
    folders.push(folder);
    const [configuration, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
    const { port: serverPort, password } = new URL(postgresql.url('postgres'));
    const port = await freePort();
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = scram-sha-256\nauth_file = ${users}\npool_mode = ${mode}`,
    ];
    await writeFile(configuration, `${lines.join('\n')}\n`);
    await writeFile(users, `"postgres" "${password}"\n"owner" "of-the-owner"\n`);
    const user = await serverAccount(path.join(folder, 'data'));
    if (user !== undefined)
      for (const file of [folder, configuration, users]) await chown(file, user.uid, user.gid);
    const started = sandbox.startProcess(PGBOUNCER, [configuration], { cwd: '/', ...user });
    await started.printed(/process up/);
    return (database: string, role = 'owner', secret = 'of-the-owner') =>
      `postgres://${role}:${secret}@127.0.0.1:${port}/${database}`;
  };

  it('supports PgBouncer with session pooling, for an ordinary role and for a superuser', async () => {
    const url = await startPgBouncer('session');
    const { password } = new URL(postgresql.url('postgres'));
    for (const DATABASE_URL of [url('of_session'), url('of_superuser', 'postgres', password)]) {
      const service = await sandbox.startService({ DATABASE_URL, SLUICE_WORKERS: '1' });
      const { client } = await createSecondTenant(service);
      assert.equal((await client.ingest([record()])).attributes.status, 'completed');
      assert.equal(service.output.stderr, '');
      assert.equal(await service.end(), 0);
    }
  });

  it('applies the options of DATABASE_URL to sessions through PgBouncer', async () => {
    const url = await startPgBouncer('session');
    const options = encodeURIComponent('-c statement_timeout=5000');
    const database = { url: `${url('of_session')}?options=${options}`, role: undefined };
    const session = await openConnection(database, { applicationName: 'test' });
    const { rows } = await session.query(
      `select current_setting('statement_timeout') as timeout, current_setting('search_path') as path`,
    );
    await session.end();
    assert.deepEqual(rows, [{ timeout: '5s', path: 'sluice' }]);
  });

  for (const mode of ['transaction', 'statement']) {
    it(`prints a one-line error for PgBouncer with ${mode} pooling, and creates nothing`, async () => {
      const url = await startPgBouncer(mode);
      const { code, stdout, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
        DATABASE_URL: url(`of_${mode}`),
      });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        /^sluice: [^\n]+ shares sessions between clients[^\n]+pool_mode = session[^\n]+\n$/,
      );
      assert.deepEqual(
        await postgresql.sql(`of_${mode}`, `select from pg_namespace where nspname = 'sluice'`),
        [],
      );
    });
  }
});
