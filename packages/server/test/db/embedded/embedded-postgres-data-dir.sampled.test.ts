import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { EmbeddedPostgresError } from '../../../src/db/embedded/cluster.ts';
import { findRunningPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { canMapUser } from '../../../src/db/embedded/run-command.ts';
import {
  makeDataDir,
  query,
  spawnWithoutNamespaces,
  startInProcess,
  startPostgres,
} from '../../support/embedded-postgres.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { endPostmaster } from '../../support/postmaster.ts';
import { run } from '../../support/process.ts';

const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? false : 'requires root';
const needsNamespaces = needsRoot || ((await canMapUser()) ? false : 'requires user namespaces');
const canChangeRoot = (await run('unshare', ['--mount', 'true'])).code === 0;
const needsMounts = needsRoot || (canChangeRoot ? false : 'requires mount namespaces');
const nobody = { uid: 65534, gid: 65534 };
/** A user ID without an account, as in containers started with `--user`. */
const UNNAMED_USER = { uid: 61_234, gid: 61_234 };

describe('the data directory of the embedded PostgreSQL', { concurrency: 2 }, () => {
  it('rejects a cluster from a different PostgreSQL major version', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n');

    await rejectsWith(
      startPostgres(dataDir),
      'version_mismatch',
      /created by PostgreSQL 17, .* PostgreSQL 18: .*DATABASE_URL/,
    );
  });

  it('rejects a folder that is not a PostgreSQL cluster', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'PG_VERSION'));

    await rejectsWith(startPostgres(dataDir), 'not_a_cluster', /SLUICE_DATA_DIR/);
  });

  itInWholeRun('reports the last lines of the log if the embedded PostgreSQL does not start', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'global', 'pg_control'));

    await rejectsWith(
      startPostgres(dataDir),
      'start_failed',
      /could not find the database system.*pg_control/s,
    );
  });

  it('rejects a data directory with shell syntax in its path', async (t) => {
    const dataDir = join(await makeDataDir(t), 'a$(touch b)');
    await rejectsWith(startPostgres(dataDir), 'unusable_path', /SLUICE_DATA_DIR/);
  });

  itInWholeRun('starts in a data directory with spaces and quotes in its name', async (t) => {
    const dataDir = await makeDataDir(t, "it's ä folder ");
    const server = await startPostgres(dataDir);
    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  });

  itInWholeRun(
    'starts and restarts in a data directory that only root can access',
    {
      skip: needsNamespaces,
    },
    async (t) => {
      const { dataDir } = await makeClosedDataDir(t);
      const first = await startPostgres(dataDir);
      await query(first.url, 'create table kept as select 7 as number');
      assert.equal((await findRunningPostgres({ dataDir }))?.url, first.url);
      await first.stop();

      const second = await startPostgres(dataDir);
      assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
      assert.equal((await stat(join(dataDir, 'postgres', 'data'))).uid, 0);
    },
  );

  it('names all inaccessible folders if root cannot use user namespaces', {
    skip: needsMounts,
  }, async (t) => {
    const { dataDir, closed } = await makeClosedDataDir(t);
    const { stderr } = await (await spawnWithoutNamespaces(t, dataDir)).ended;
    assert.ok(
      stderr.includes(
        `PostgreSQL refuses to run as root, so Sluice runs it as the postgres system user, who cannot access ${closed.join(' and ')}: ` +
          `run \`chmod o+x ${closed.join(' ')}\`, or set SLUICE_DATA_DIR`,
      ),
      stderr,
    );
    assert.deepEqual(await readdir(dataDir), []);
  });

  itInWholeRun(
    'starts the embedded PostgreSQL for a user ID without an account',
    {
      skip: needsNamespaces,
    },
    async (t) => {
      const dataDir = await makeDataDir(t);
      await chown(dataDir, UNNAMED_USER.uid, UNNAMED_USER.gid);
      const server = await startInProcess(t, dataDir, UNNAMED_USER);
      assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
      assert.equal((await stat(join(dataDir, 'postgres', 'data'))).uid, UNNAMED_USER.uid);
    },
  );

  it('suggests remedies if a user ID has no account and user namespaces are unavailable', {
    skip: needsMounts,
  }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chown(dataDir, UNNAMED_USER.uid, UNNAMED_USER.gid);
    const { stderr } = await (await spawnWithoutNamespaces(t, dataDir, UNNAMED_USER)).ended;
    assert.match(
      stderr,
      /PostgreSQL needs a user with a name, but the system user 61234 has none, .*: add the user to \/etc\/passwd, or set DATABASE_URL/,
    );
  });

  it('gives the server user access to a data directory with mode 0700 that belongs to root', {
    skip: needsRoot,
  }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chmod(dataDir, 0o700);

    const server = await startPostgres(dataDir);

    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o710);
  });

  itInWholeRun(
    'runs PostgreSQL as the user who created the cluster, even if root starts it later',
    {
      skip: needsRoot,
    },
    async (t) => {
      const dataDir = await makeDataDir(t);
      await chown(dataDir, nobody.uid, nobody.gid);
      const uidOfServer = async () => (await stat(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).uid;

      const first = await startInProcess(t, dataDir, nobody);
      assert.equal(first.startedByUs, true);
      assert.equal(await uidOfServer(), nobody.uid);
      await query(first.url, 'create table kept as select 7 as number');
      first.process.signal('SIGTERM');
      assert.equal(await first.process.exited, 0);
      assert.equal(await findRunningPostgres({ dataDir }), undefined);

      const second = await startPostgres(dataDir);
      assert.equal(await uidOfServer(), nobody.uid);
      assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
    },
  );

  it('rejects a user who does not own the cluster', { skip: needsRoot }, async (t) => {
    const dataDir = await makeDataDir(t);
    await startPostgres(dataDir);

    await assert.rejects(startInProcess(t, dataDir, nobody), /wrong_owner/);
  });
});

/** Creates a data directory below two folders that only root can access. */
async function makeClosedDataDir(t: TestContext): Promise<{ dataDir: string; closed: string[] }> {
  const outer = await makeDataDir(t);
  const inner = join(outer, 'inner');
  const dataDir = join(inner, 'data');
  await mkdir(dataDir, { recursive: true });
  for (const folder of [outer, inner]) await chmod(folder, 0o700);
  t.after(() => endPostmaster(dataDir));
  return { dataDir, closed: [outer, inner] };
}

async function rejectsWith(promise: Promise<unknown>, code: string, message: string | RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.equal(error.code, code);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });
}
