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
  skip: programs === undefined && 'requires PostgreSQL 15 or newer in /usr/lib/postgresql',
}, () => {
  const sandbox = createSandbox();
  let certificates: Certificates;
  /** The server has TLS and a Unix socket. */
  let secure: OwnPostgresql;
  /** Without TLS. */
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
  /** On a busy machine, a probe of the database can exceed its time limit. */
  const ready = (url: string) => until(async () => (await fetch(`${url}/health/ready`)).ok);
  const errorOf = async (url: string) => {
    const { code, stdout, stderr } = await inspect(url);
    assert.deepEqual([code, stdout], [1, ''], url);
    assert.match(stderr, /^sluice: [^\n]+\n$/);
    assert.doesNotMatch(stderr, /of-the-superuser/);
    return stderr;
  };

  describe('DATABASE_URL with a Unix socket', () => {
    it('connects to a Unix socket given as the host parameter or percent-encoded as the host', async () => {
      const { folder } = certificates;
      const port = portOf(secure);
      await assertConnects(`${login()}@/postgres?host=${folder}&port=${port}`);
      await assertConnects(`${login()}@${encodeURIComponent(folder)}:${port}/postgres`);
      await assertConnects(`${login()}@/postgres?host=${folder}&port=${port}&sslmode=verify-full`);
    });

    it('runs the service over a Unix socket', async () => {
      await secure.sql('postgres', 'create database of_socket');
      const DATABASE_URL = `${login()}@/of_socket?host=${certificates.folder}&port=${portOf(secure)}`;
      const service = await sandbox.startService({ DATABASE_URL });
      await ready(service.url);
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
      isAccepted: boolean,
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
    for (const [mode, authority, host, isAccepted] of CASES) {
      const rootCert =
        authority === undefined
          ? 'without sslrootcert'
          : `with ${authority === 'own' ? "the server's" : 'another'} certificate authority in sslrootcert`;
      it(`sslmode=${mode} ${isAccepted ? 'accepts' : 'rejects'} ${host} ${rootCert}`, async () => {
        const { authority: own, otherAuthority } = certificates;
        const file = { own, other: otherAuthority }[authority ?? 'own'];
        const target = url(secure, mode, host, authority === undefined ? undefined : file);
        if (isAccepted) await assertConnects(target);
        else await errorOf(target);
      });
    }

    it('connects to a server without TLS only with sslmode=disable, allow or prefer', async () => {
      for (const mode of ['disable', 'allow', 'prefer']) await assertConnects(url(plain, mode));
      for (const mode of ['require', 'verify-full']) await errorOf(url(plain, mode));
    });

    it('uses TLS if the server supports it and sslmode is not set', async () => {
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

    it('requires channel binding only with channel_binding=require', async () => {
      for (const binding of ['disable', 'prefer', 'require'])
        await assertConnects(`${url(secure, 'require')}&channel_binding=${binding}`);
      await assertConnects(`${url(plain, 'prefer')}&channel_binding=prefer`);
      const unsupported = /channel_binding=require, but the server did not offer channel binding/;
      assert.match(await errorOf(`${url(plain, 'prefer')}&channel_binding=require`), unsupported);
      assert.match(await errorOf(`${url(secure, 'disable')}&channel_binding=require`), unsupported);
    });

    it('reports an invalid sslmode and an unreadable sslrootcert with one-line errors', async () => {
      assert.match(
        await errorOf(url(secure, 'always')),
        /sslmode=always, which must be one of disable, allow/,
      );
      assert.match(
        await errorOf(url(secure, 'verify-ca', 'localhost', '/nowhere/root.pem')),
        /cannot read the sslrootcert in DATABASE_URL: ENOENT/,
      );
    });
  });

  describe('DATABASE_URL with several hosts', () => {
    const hosts = (...servers: (OwnPostgresql | number)[]) =>
      servers.map((server) => `127.0.0.1:${typeof server === 'number' ? server : portOf(server)}`).join(',');

    it('connects to the primary and skips an unreachable server and a standby', async () => {
      const unused = await freePort();
      const DATABASE_URL = `${login()}@${hosts(unused, standby, plain)}/postgres`;
      const service = await sandbox.startService({ DATABASE_URL });
      assert.equal(service.output.stderr, '');
      await ready(service.url);
      const rows = await plain.sql(
        'postgres',
        `select from pg_stat_activity where application_name like 'sluice %'`,
      );
      assert.ok(rows.length > 0);
      await service.end();
    });

    it('reconnects to the new primary after a failover', async () => {
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
        // The first attempt may still use the previous host.
        assert.equal(await until(() => port().catch(() => undefined)), portOf(second));
      } finally {
        await pool.end();
        await first.remove();
        await second.remove();
      }
    });

    it('names all hosts of DATABASE_URL if no host is usable', async () => {
      const unused = await freePort();
      const line = await errorOf(`${login()}@${hosts(unused, standby)}/postgres`);
      assert.match(
        line,
        new RegExp(`cannot connect to the database 127.0.0.1:${unused},127.0.0.1:\\d+/postgres .*read-only`),
      );
    });

    it('connects to the first server that responds with target_session_attrs=any', async () => {
      await assertConnects(`${login()}@${hosts(standby, plain)}/template1?target_session_attrs=any`);
    });
  });

  it('reports with a one-line error that DATABASE_URL points to a standby', async () => {
    const { code, stderr } = await sandbox.sluice(await sandbox.newDataDir(), ['serve'], {
      DATABASE_URL: standby.url('postgres'),
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^sluice: the database is a read-only standby; set DATABASE_URL to its primary[^\n]+\n$/,
    );
  });

  it('names an unknown parameter of DATABASE_URL', async () => {
    assert.match(await errorOf(`${plain.url('postgres')}?color=blue`), /has the unknown parameter color/);
  });
});
