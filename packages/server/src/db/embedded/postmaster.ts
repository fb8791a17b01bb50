import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../error-code.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type CommandResult, runCommand } from './run-command.ts';
import { readServerLogTail } from './server-log.ts';
import { serverSettings } from './server-settings.ts';

/** A process that pg_ctl holds for the postmaster of the cluster, as postmaster.pid describes it. */
export interface Postmaster {
  pid: number;
  port: number;
  /** It is on its way up or down, so it is no fault when it does not answer. */
  changing: boolean;
}

/** A recovery may replay max_wal_size from a slow disk. */
const startTimeoutSeconds = 300;
const stopTimeoutSeconds = 120;
const stopPollMs = 20;
const pidFilePatienceMs = 5000;
const pidFilePollMs = 50;

/**
 * The postmaster that runs on the cluster, by PostgreSQL's own rules; undefined when none does.
 *
 * @throws EmbeddedPostgresError `not_a_cluster` when pg_ctl finds no data there
 * @throws EmbeddedPostgresError `not_responding` when postmaster.pid stays unreadable
 */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | undefined> {
  const beganAt = performance.now();
  for (;;) {
    const status = await runPgCtl(cluster, ['status']);
    if (status.exitCode === 3) return undefined;
    if (status.exitCode === 4) throw new EmbeddedPostgresError('not_a_cluster', status.output);
    const postmaster = status.exitCode === 0 ? await readPidFile(cluster) : undefined;
    if (postmaster !== undefined) return postmaster;
    // The file is being written or removed this moment, or a crash left it empty.
    if (performance.now() - beganAt > pidFilePatienceMs) {
      throw new EmbeddedPostgresError(
        'not_responding',
        `Cannot tell whether PostgreSQL runs on ${cluster.paths.dataFolder}: if it does not, ` +
          `remove the file postmaster.pid in that folder (${status.output})`,
      );
    }
    await sleep(pidFilePollMs);
  }
}

async function readPidFile({ paths }: Cluster): Promise<Postmaster | undefined> {
  const text = await readFile(join(paths.dataFolder, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  });
  // Line 4 is the port, line 8 the state; see miscadmin.h of PostgreSQL.
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, port, state] = [Number(lines[0]), Number(lines[3]), lines[7]];
  if (!(pid > 0 && port > 0)) return undefined;
  return { pid, port, changing: state === 'starting' || state === 'stopping' };
}

/**
 * Starts the postmaster on a free port and waits until it takes connections; it leads a process group of its own.
 * A start that fails is told in the result: another process may have been faster.
 */
export async function startPostmaster(cluster: Cluster): Promise<CommandResult> {
  const options = Object.entries(serverSettings(await findFreePort()))
    .map(([name, value]) => `-c '${name}=${value}'`)
    .join(' ');
  return await runPgCtl(cluster, [
    'start',
    '--wait',
    `--timeout=${startTimeoutSeconds}`,
    `--log=${cluster.paths.startLog}`,
    `--options=${options}`,
  ]);
}

/**
 * Stops the postmaster: open transactions are rolled back, connections closed. Fine when none runs, and when
 * another process starts the next one meanwhile: that one is left alone. `pg_ctl stop` would take it for the old
 * one and wait until it ends, as both are named by the same postmaster.pid.
 *
 * @throws EmbeddedPostgresError `stop_failed` when it still runs after two minutes
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) return;
  const beganAt = performance.now();
  // Fast shutdown; see PostgreSQL, "Shutting Down the Server".
  let running = sendSignal(postmaster.pid, 'SIGINT');
  while (running) {
    if (performance.now() - beganAt > stopTimeoutSeconds * 1000) {
      throw new EmbeddedPostgresError(
        'stop_failed',
        `PostgreSQL in ${cluster.paths.dataFolder} (process ${postmaster.pid}) did not stop:\n` +
          (await readServerLogTail(cluster.paths)),
      );
    }
    await sleep(stopPollMs);
    running = sendSignal(postmaster.pid, 0) && (await readPidFile(cluster))?.pid === postmaster.pid;
  }
}

/** False when there is no such process. Signal 0 only asks. */
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
      server.close(() => (port === undefined ? reject(new Error('no port was given')) : resolve(port)));
    });
  });
}
