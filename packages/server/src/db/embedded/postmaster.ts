import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../lib/errors.ts';
import { type Cluster, type ClusterPaths, EmbeddedPostgresError } from './cluster.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { serverSettings } from './server-settings.ts';

/** A process that pg_ctl considers the postmaster of the cluster, as described by postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether the server is starting or shutting down and therefore may not respond. */
  readonly isChanging: boolean;
}

/** Recovery may replay max_wal_size from a slow disk. */
const START_TIMEOUT_SECONDS = 300;
const STOP_TIMEOUT_SECONDS = 120;
const STOP_POLL_MS = 20;
const PID_FILE_TIMEOUT_MS = 5000;
const PID_FILE_POLL_MS = 50;
const TAIL_LINES = 12;
const SIX_DAYS_MS = 6 * 24 * 60 * 60 * 1000;

/**
 * Finds the running postmaster of the cluster by PostgreSQL's own rules; `undefined` if none is running.
 *
 * @throws EmbeddedPostgresError `not_a_cluster` if pg_ctl finds no data
 * @throws EmbeddedPostgresError `not_responding` if postmaster.pid remains unreadable
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const status = await runPgCtl(cluster, ['status']);
    if (status.exitCode === 3) return undefined;
    if (status.exitCode === 4) throw new EmbeddedPostgresError('not_a_cluster', status.output);
    const postmaster = status.exitCode === 0 ? await readPidFile(cluster) : undefined;
    if (postmaster !== undefined) return postmaster;
    // The PID file is being written or removed, or a crash left it empty.
    if (performance.now() - startedAt > PID_FILE_TIMEOUT_MS) {
      throw new EmbeddedPostgresError(
        'not_responding',
        `cannot determine whether PostgreSQL is running in ${cluster.paths.dataFolder}: if it is not, ` +
          `remove the file postmaster.pid from that folder (${status.output})`,
      );
    }
    await sleep(PID_FILE_POLL_MS);
  }
}

async function readPidFile({ paths }: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(paths.dataFolder, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  // Line 4 is the port, line 8 the state; see PostgreSQL's miscadmin.h.
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port, state] = [Number(lines[0]), Number(lines[3]), lines[7]];
  if (!(pid > 0 && port > 0)) return undefined;
  return { pid, port, isChanging: state === 'starting' || state === 'stopping' };
}

/**
 * Starts the postmaster on a free port, in its own process group, and waits until it accepts connections. Does not
 * throw if the start fails, because another process may have started it first. Check the exit code instead.
 */
export async function startPostmaster(cluster: Cluster): Promise<CommandResult> {
  const options = Object.entries(serverSettings(await findFreePort()))
    .map(([name, value]) => `-c '${name}=${value}'`)
    .join(' ');
  return await runPgCtl(cluster, [
    'start',
    '--wait',
    `--timeout=${START_TIMEOUT_SECONDS}`,
    `--log=${cluster.paths.startLog}`,
    `--options=${options}`,
  ]);
}

/**
 * Stops the postmaster: rolls back open transactions and closes connections. Does nothing if none is running. Does not
 * wait for a new postmaster that another process starts in the meantime, as `pg_ctl stop` would, because both use the
 * same postmaster.pid.
 *
 * @throws EmbeddedPostgresError `stop_failed` if it is still running after two minutes
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) return;
  const startedAt = performance.now();
  // Fast shutdown; see "Shutting Down the Server" in the PostgreSQL documentation.
  let isRunning = sendSignal(postmaster.pid, 'SIGINT');
  while (isRunning) {
    if (performance.now() - startedAt > STOP_TIMEOUT_SECONDS * 1000) {
      throw new EmbeddedPostgresError(
        'stop_failed',
        `PostgreSQL in ${cluster.paths.dataFolder} (process ${postmaster.pid}) did not stop:\n` +
          (await readServerLogTail(cluster.paths)),
      );
    }
    await sleep(STOP_POLL_MS);
    isRunning = sendSignal(postmaster.pid, 0) && (await readPidFile(cluster))?.pid === postmaster.pid;
  }
}

/** Returns false if the process does not exist. Signal 0 only checks whether the process exists. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

async function runPgCtl({ binaries, paths, user }: Cluster, args: string[]): Promise<CommandResult> {
  return await runCommand(binaries.pgCtl, [...args, `--pgdata=${paths.dataFolder}`], user);
}

async function findFreePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() =>
        port === undefined ? reject(new Error('the system assigned no port')) : resolve(port),
      );
    });
  });
}

/**
 * Limits the server's log to a week. PostgreSQL truncates each weekday's file at the start of that day, but only while
 * it is running. This function removes older files and the output of the previous start. Call it only when no
 * postmaster is running.
 */
export async function pruneServerLog(paths: ClusterPaths): Promise<void> {
  await rm(paths.startLog, { force: true });
  for (const file of await listLogFiles(paths)) {
    if (Date.now() - file.writtenAtMs > SIX_DAYS_MS) await rm(file.path, { force: true });
  }
}

/** Returns the last lines of the server's log, which explain a failed start. May be empty. */
export async function readServerLogTail(paths: ClusterPaths): Promise<string> {
  const newestFirst = (await listLogFiles(paths)).sort((a, b) => b.writtenAtMs - a.writtenAtMs);
  const files = [paths.startLog, ...newestFirst.slice(0, 1).map((file) => file.path)];
  const texts = await Promise.all(files.map(readIfExists));
  return texts
    .flatMap((text) => text.trimEnd().split('\n').slice(-TAIL_LINES))
    .filter((line) => line !== '')
    .join('\n');
}

async function listLogFiles(paths: ClusterPaths): Promise<{ path: string; writtenAtMs: number }[]> {
  const names = await readdir(paths.logFolder).catch(whenMissing<string[]>([]));
  // This code may run as root in another user's folder, so only the server's own files are touched.
  const logs = names
    .filter((name) => /^server-\w+\.log$/.test(name))
    .map((name) => join(paths.logFolder, name));
  const files = await Promise.all(
    logs.map(async (path) => {
      // Another process may have removed it in the meantime.
      const found = await stat(path).catch(whenMissing(undefined));
      return found === undefined ? [] : [{ path, writtenAtMs: found.mtimeMs }];
    }),
  );
  return files.flat();
}

async function readIfExists(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(whenMissing(''));
}

function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}
