import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findRunningPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { EmbeddedPostgresError } from '../../../src/db/embedded/embedded-postgres-error.ts';
import { canMapUser } from '../../../src/db/embedded/run-command.ts';
import {
  makeDataDir,
  query,
  spawnWithoutNamespaces,
  startInProcess,
  startPostgres,
} from '../../support/embedded-postgres.ts';
import { endPostmaster } from '../../support/postmaster.ts';
import { run } from '../../support/process.ts';

const asRoot = process.getuid?.() === 0;
const needsRoot = asRoot ? false : 'only root can become another user';
const needsNamespaces = needsRoot || ((await canMapUser()) ? false : 'user namespaces are forbidden here');
const canChangeRoot = (await run('unshare', ['--mount', 'true'])).code === 0;
const needsMounts = needsRoot || (canChangeRoot ? false : 'mount namespaces are forbidden here');
const nobody = { uid: 65534, gid: 65534 };
/** As containers are started with `--user`. */
const NAMELESS = { uid: 61_234, gid: 61_234 };

describe('the embedded PostgreSQL in a data directory', { concurrency: 2 }, () => {
  it('refuses data of another major version', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n');

    await rejectsWith(
      startPostgres(dataDir),
      'version_mismatch',
      /made by PostgreSQL 17, .* PostgreSQL 18: .*DATABASE_URL/,
    );
  });

  it('refuses a folder that is no cluster, and leaves it alone', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'PG_VERSION'));

    await rejectsWith(startPostgres(dataDir), 'not_a_cluster', /SLUICE_DATA_DIR/);
  });

  it('tells the last lines of the log when the server does not start', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await startPostgres(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'global', 'pg_control'));

    await rejectsWith(
      startPostgres(dataDir),
      'start_failed',
      /could not find the database system.*pg_control/s,
    );
  });

  it('refuses a path that pg_ctl would hand to a shell', async (t) => {
    const dataDir = join(await makeDataDir(t), 'a$(touch b)');
    await rejectsWith(startPostgres(dataDir), 'unusable_path', /SLUICE_DATA_DIR/);
  });

  it('runs in a folder with spaces and quotes in its name', async (t) => {
    const dataDir = await makeDataDir(t, "it's ä folder ");
    const server = await startPostgres(dataDir);
    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  });

  it('runs in a folder that only root can reach, and again after a stop', {
    skip: needsNamespaces,
  }, async (t) => {
    const { dataDir } = await makeClosedDataDir(t);
    const first = await startPostgres(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    assert.equal((await findRunningPostgres({ dataDir }))?.url, first.url);
    await first.stop();

    const second = await startPostgres(dataDir);
    assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
    assert.equal((await stat(join(dataDir, 'postgres', 'data'))).uid, 0);
  });

  it('names all closed folders where user namespaces are forbidden, as root', {
    skip: needsMounts,
  }, async (t) => {
    const { dataDir, closed } = await makeClosedDataDir(t);
    const { stderr } = await (await spawnWithoutNamespaces(t, dataDir)).ended;
    assert.ok(
      stderr.includes(
        `PostgreSQL refuses to run as root, so Sluice runs it as the system user postgres, who cannot reach ${closed.join(' and ')}: ` +
          `run \`chmod o+x ${closed.join(' ')}\`, or set SLUICE_DATA_DIR`,
      ),
      stderr,
    );
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('runs for a user without a name', { skip: needsNamespaces }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chown(dataDir, NAMELESS.uid, NAMELESS.gid);
    const theirs = await startInProcess(t, dataDir, NAMELESS);
    assert.deepEqual(await query(theirs.url, 'select 1 as one'), [{ one: 1 }]);
    assert.equal((await stat(join(dataDir, 'postgres', 'data'))).uid, NAMELESS.uid);
  });

  it('names the remedies for a user without a name if user namespaces are forbidden', {
    skip: needsMounts,
  }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chown(dataDir, NAMELESS.uid, NAMELESS.gid);
    const { stderr } = await (await spawnWithoutNamespaces(t, dataDir, NAMELESS)).ended;
    assert.match(
      stderr,
      /PostgreSQL needs a user with a name, the system user 61234 has none, .*: add the user to \/etc\/passwd, or set DATABASE_URL/,
    );
  });

  it('passes through a data directory that root keeps to itself, as root', { skip: needsRoot }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chmod(dataDir, 0o700);

    const server = await startPostgres(dataDir);

    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o710);
  });

  it('runs as the user who starts it, and stays with that user when root starts it', {
    skip: needsRoot,
  }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chown(dataDir, nobody.uid, nobody.gid);
    const uidOfServer = async () => (await stat(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).uid;

    const theirs = await startInProcess(t, dataDir, nobody);
    assert.equal(theirs.startedByUs, true);
    assert.equal(await uidOfServer(), nobody.uid);
    await query(theirs.url, 'create table kept as select 7 as number');
    theirs.process.signal('SIGTERM');
    assert.equal(await theirs.process.exited, 0);
    assert.equal(await findRunningPostgres({ dataDir }), undefined);

    const ours = await startPostgres(dataDir);
    assert.equal(await uidOfServer(), nobody.uid);
    assert.deepEqual(await query(ours.url, 'select number from kept'), [{ number: 7 }]);
  });

  it('is refused to a user to whom the cluster does not belong', { skip: needsRoot }, async (t) => {
    const dataDir = await makeDataDir(t);
    await startPostgres(dataDir);

    await assert.rejects(startInProcess(t, dataDir, nobody), /wrong_owner/);
  });
});

/** A data directory behind two folders that only root may enter. */
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
