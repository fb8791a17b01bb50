import { chmod, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { endPostmaster } from './postmaster.ts';
import { type StartedProcess, startProcess } from './process.ts';

const MODULE = fileURLToPath(new URL('../../src/db/embedded/embedded-postgres.ts', import.meta.url));
/** Starts the server, prints its URL, and stops it on SIGTERM. */
const START = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  const { url, startedByUs, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2], log() {} });
  const keptAlive = setInterval(() => {}, 60_000);
  process.once('SIGTERM', async () => {
    await stop();
    clearInterval(keptAlive);
  });
  console.log(JSON.stringify({ url, startedByUs }));`;

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface StartedInProcess {
  readonly process: StartedProcess;
  readonly url: string;
  readonly startedByUs: boolean;
}

/**
 * Creates a folder that the server user can access. After the test, stops the server in the folder and removes the
 * folder.
 */
export async function makeDataDir(t: TestContext, name = 'data'): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'sluice-embedded-'));
  await chmod(parent, 0o755);
  const dataDir = join(parent, name);
  await mkdir(dataDir);
  t.after(async () => {
    await endPostmaster(dataDir);
    await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return dataDir;
}

/** Starts the server from this process. */
export async function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  return await startEmbeddedPostgres({ dataDir, log: () => {} });
}

/** Starts the server from another process, which ends with the test. Does not wait for the start. */
export function spawnPostgres(t: TestContext, dataDir: string, user?: User): StartedProcess {
  const args = ['--input-type=module', '-e', START, MODULE, dataDir];
  const started = startProcess(process.execPath, args, { cwd: '/', ...user });
  t.after(() => endGroup(started));
  return started;
}

/** Like `spawnPostgres`, but in a chroot, because the kernel denies user namespaces to such processes. */
export async function spawnWithoutNamespaces(
  t: TestContext,
  dataDir: string,
  { uid, gid }: User = { uid: 0, gid: 0 },
): Promise<StartedProcess> {
  const root = await mkdtemp(join(tmpdir(), 'sluice-root-'));
  const args = [
    '--mount',
    'sh',
    '-c',
    'mount --rbind / "$0" && user=$1 && shift && exec chroot "$user" "$0" "$@"',
  ];
  const node = [process.execPath, '--input-type=module', '-e', START, MODULE, dataDir];
  const started = startProcess('unshare', [...args, root, `--userspec=${uid}:${gid}`, ...node], {
    cwd: '/',
  });
  t.after(async () => {
    await endGroup(started);
    await rmdir(root);
  });
  return started;
}

/**
 * Starts the server from another process, and waits until it is running. If the start fails, throws an error with the
 * whole output.
 */
export async function startInProcess(
  t: TestContext,
  dataDir: string,
  user?: User,
): Promise<StartedInProcess> {
  const started = spawnPostgres(t, dataDir, user);
  const [line] = await started.printed(/^\{"url".*\}$/m);
  const { url, startedByUs } = JSON.parse(line);
  return { process: started, url, startedByUs };
}

/** Kills the process group of a process, and waits until the process has exited. */
export async function endGroup(started: StartedProcess): Promise<void> {
  started.signalGroup('SIGKILL');
  await started.exited;
}

/** Queries a server on a separate connection. */
export async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  // If the server is killed, both the client and the query report an error.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
