import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../../src/db/connect.ts';
import { type Certificates, createCertificates } from '../support/certificates.ts';
import { findPostgresql, freePort, type OwnPostgresql, startPostgresql } from '../support/own-postgresql.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import { until } from '../support/until.ts';

const programs = await findPostgresql();

describe('DATABASE_URL', {
  skip: programs === undefined && 'there is no PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  const sandbox = createSandbox();
  let certificates: Certificates;
  /** With TLS and a Unix socket, without TLS, and read-only. */
  let secure: OwnPostgresql;
  let plain: OwnPostgresql;
  let standby: OwnPostgresql;
  before(async () => {
    certificates = await createCertificates();
    const { folder, cert, key } = certificates;
    secure = await startPostgresql(programs ?? '', {
      settings: { ssl: 'on', ssl_cert_file: cert, ssl_key_file: key, unix_socket_directories: folder },
    });
    plain = await startPostgresql(programs ?? '');
    standby = await startPostgresql(programs ?? '', { isStandby: true });
  });
  after(async () => {
    await sandbox.clear();
    for (const server of [secure, plain, standby]) await server?.remove();
    await rm(certificates.folder, { recursive: true, force: true });
  });

  const portOf = (server: OwnPostgresql) => new URL(server.url('postgres')).port;
  const login = () => {
    const { username, password } = new URL(secure.url('postgres'));
    return `postgres://${username}:${password}`;
  };
  const inspect = async (DATABASE_URL: string) =>
    await sandbox.sluice(await sandbox.newDataDir(), ['migrate', '--status', '--json'], { DATABASE_URL });
  const assertConnects = async (url: string) => {
    const { code, stdout, stderr } = await inspect(url);
    assert.deepEqual([code, stderr], [0, ''], url);
    assert.deepEqual(JSON.parse(stdout).applied, []);
  };
  const refusalOf = async (url: string) => {
    const { code, stdout, stderr } = await inspect(url);
    assert.deepEqual([code, stdout], [1, ''], url);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    assert.doesNotMatch(stderr, /of-the-superuser/);
    return stderr;
  };

  describe('with a Unix socket', () => {
    it('names its folder as the host parameter or percent-encoded as the host', async () => {
      const { folder } = certificates;
      const port = portOf(secure);
      await assertConnects(`${login()}@/postgres?host=${folder}&port=${port}`);
      await assertConnects(`${login()}@${encodeURIComponent(folder)}:${port}/postgres`);
      await assertConnects(`${login()}@/postgres?host=${folder}&port=${port}&sslmode=verify-full`);
    });

    it('serves uploads over it', async () => {
      await secure.sql('postgres', 'create database of_socket');
      const DATABASE_URL = `${login()}@/of_socket?host=${certificates.folder}&port=${portOf(secure)}`;
      const service = await sandbox.startService({ DATABASE_URL });
      assert.equal((await fetch(`${service.url}/health/ready`)).status, 200);
      const rows = await secure.sql(
        'of_socket',
        `select distinct client_addr as address from pg_stat_activity where application_name = 'sluice worker'`,
      );
      assert.deepEqual(rows, [{ address: null }]);
      await service.end();
    });
  });

  describe('with sslmode', () => {
    const url = (server: OwnPostgresql, mode: string, host = 'localhost', authority?: string) =>
      `${login()}@${host}:${portOf(server)}/postgres?sslmode=${mode}${authority === undefined ? '' : `&sslrootcert=${authority}`}`;
    const CASES: readonly [
      mode: string,
      authority: 'own' | 'other' | undefined,
      host: string,
      works: boolean,
    ][] = [
      ['disable', undefined, 'localhost', true],
      ['allow', undefined, 'localhost', true],
      ['prefer', undefined, '127.0.0.1', true],
      ['require', undefined, '127.0.0.1', true],
      ['require', 'own', '127.0.0.1', true],
      ['require', 'other', 'localhost', false],
      ['verify-ca', 'own', '127.0.0.1', true],
      ['verify-ca', 'other', 'localhost', false],
      ['verify-ca', undefined, 'localhost', false],
      ['verify-full', 'own', 'localhost', true],
      ['verify-full', 'own', '127.0.0.1', false],
      ['verify-full', 'other', 'localhost', false],
      ['verify-full', undefined, 'localhost', false],
    ];
    for (const [mode, authority, host, works] of CASES) {
      const whose = authority === undefined ? 'no sslrootcert' : `the ${authority} authority as sslrootcert`;
      it(`${mode} ${works ? 'connects to' : 'refuses'} ${host} with ${whose}`, async () => {
        const { authority: own, otherAuthority } = certificates;
        const file = { own, other: otherAuthority }[authority ?? 'own'];
        const of = url(secure, mode, host, authority === undefined ? undefined : file);
        if (works) await assertConnects(of);
        else await refusalOf(of);
      });
    }

    it('connects without TLS to a server that has none for disable, allow and prefer only', async () => {
      for (const mode of ['disable', 'allow', 'prefer']) await assertConnects(url(plain, mode));
      for (const mode of ['require', 'verify-full']) await refusalOf(url(plain, mode));
    });

    it('encrypts the sessions of the service where the server has TLS and no mode is given', async () => {
      await secure.sql('postgres', 'create database of_default');
      const service = await sandbox.startService({ DATABASE_URL: secure.url('of_default') });
      const { client } = await createSecondTenant(service);
      assert.equal((await client.ingest([record()])).attributes.status, 'completed');
      const rows = await secure.sql(
        'of_default',
        `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
         where application_name in ('sluice api', 'sluice reads', 'sluice worker') and datname = 'of_default'`,
      );
      assert.deepEqual(rows, [{ ssl: true }]);
      assert.equal(service.output.stderr, '');
      await service.end();
    });

    it('requires or prefers channel binding where the URL has channel_binding', async () => {
      for (const binding of ['disable', 'prefer', 'require'])
        await assertConnects(`${url(secure, 'require')}&channel_binding=${binding}`);
      await assertConnects(`${url(plain, 'prefer')}&channel_binding=prefer`);
      const unsupported = /channel_binding=require, which the server does not support/;
      assert.match(await refusalOf(`${url(plain, 'prefer')}&channel_binding=require`), unsupported);
      assert.match(await refusalOf(`${url(secure, 'disable')}&channel_binding=require`), unsupported);
    });

    it('is refused in one line if its value or its file is invalid', async () => {
      assert.match(
        await refusalOf(url(secure, 'always')),
        /sslmode=always, which must be one of disable, allow/,
      );
      assert.match(
        await refusalOf(url(secure, 'verify-ca', 'localhost', '/nowhere/root.pem')),
        /cannot read the sslrootcert of DATABASE_URL: ENOENT/,
      );
    });
  });

  describe('with several hosts', () => {
    const hosts = (...servers: (OwnPostgresql | number)[]) =>
      servers.map((server) => `127.0.0.1:${typeof server === 'number' ? server : portOf(server)}`).join(',');

    it('serves from the primary and skips an unreachable server and a standby', async () => {
      const away = await freePort();
      const DATABASE_URL = `${login()}@${hosts(away, standby, plain)}/postgres`;
      const service = await sandbox.startService({ DATABASE_URL });
      assert.equal(service.output.stderr, '');
      assert.equal((await fetch(`${service.url}/health/ready`)).status, 200);
      const rows = await plain.sql(
        'postgres',
        `select from pg_stat_activity where application_name like 'sluice %'`,
      );
      assert.ok(rows.length > 0);
      await service.end();
    });

    it('follows a failover to another host', async () => {
      const first = await startPostgresql(programs ?? '');
      const second = await startPostgresql(programs ?? '', { isStandby: true });
      const url = `${login()}@${hosts(first, second)}/postgres`;
      const pool = createPool({ url, role: undefined }, { applicationName: 'test', max: 1 });
      const port = async () => {
        const { rows } = await pool.query<{ port: number }>('select inet_server_port() as port');
        return String(rows[0]?.port);
      };
      try {
        assert.equal(await port(), portOf(first));
        await first.remove();
        await assert.rejects(port());
        await second.sql('postgres', 'select pg_promote()');
        // The first attempt may still use what was known before.
        assert.equal(await until(() => port().catch(() => undefined)), portOf(second));
      } finally {
        await pool.end();
        await first.remove();
        await second.remove();
      }
    });

    it('names all of them if none is usable', async () => {
      const away = await freePort();
      const line = await refusalOf(`${login()}@${hosts(away, standby)}/postgres`);
      assert.match(
        line,
        new RegExp(`cannot reach the database 127.0.0.1:${away},127.0.0.1:\\d+/postgres .*read-only`),
      );
    });

    it('connects to the first server that responds with target_session_attrs=any', async () => {
      await assertConnects(`${login()}@${hosts(standby, plain)}/template1?target_session_attrs=any`);
    });
  });

  it('of a standby fails the start with one line', async () => {
    const { code, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
      DATABASE_URL: standby.url('postgres'),
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^sluice: the database is a standby, which is read-only; set DATABASE_URL to its primary[^\n]+\n$/,
    );
  });

  it('with an unknown parameter is refused with its name', async () => {
    assert.match(await refusalOf(`${plain.url('postgres')}?colour=blue`), /has the unknown parameter colour/);
  });
});
