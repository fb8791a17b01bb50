import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, EmbeddedPostgresError } from './cluster.ts';
import { findPostmaster, pruneServerLog, readServerLogTail, startPostmaster } from './postmaster.ts';
import { probeServer } from './server-connection.ts';

const POLL_MS = 100;
const RETRY_MS = 300;
/** The backends of a killed postmaster may take this long to notice and exit. */
const START_TIMEOUT_MS = 10_000;
/** A process may be named in postmaster.pid for this long without responding on its port. */
const UNRESPONSIVE_TIMEOUT_MS = 10_000;
/** Recovery may replay max_wal_size from a slow disk, and a shutdown may write all buffers. */
const BUSY_TIMEOUT_MS = 300_000;

/**
 * Waits until the cluster accepts connections. Uses the running postmaster or starts one, and retries a failed start
 * for ten seconds.
 *
 * @throws EmbeddedPostgresError `start_failed` with the last lines of the server's log
 * @throws EmbeddedPostgresError `not_responding` if a process occupies the cluster and does not respond
 */
export async function ensureRunning(
  cluster: Cluster,
  password: string,
  log: (message: string) => void,
): Promise<{ port: number; startedByUs: boolean }> {
  let startedByUs = false;
  let failingSince: number | undefined;
  for (;;) {
    const port = await waitUntilReady(cluster, password, log);
    if (port !== undefined) return { port, startedByUs };
    await pruneServerLog(cluster.paths);
    log(`starting PostgreSQL in ${cluster.paths.dataFolder}`);
    const result = await startPostmaster(cluster);
    startedByUs = result.exitCode === 0;
    if (startedByUs) continue;
    // Another process may have started the server first or taken the port, or backends of a killed postmaster may still
    // be running.
    failingSince ??= performance.now();
    if (performance.now() - failingSince > START_TIMEOUT_MS) throw await startFailed(cluster, result.output);
    await sleep(RETRY_MS);
  }
}

/** The port on which the cluster accepts connections; `undefined` once no postmaster is running. */
async function waitUntilReady(
  cluster: Cluster,
  password: string,
  log: (message: string) => void,
): Promise<number | undefined> {
  const startedAt = performance.now();
  let lastActiveAt = startedAt;
  let isReported = false;
  for (;;) {
    const state = await readState(cluster, password);
    if (state.type === 'stopped') return undefined;
    if (state.type === 'ready') return state.port;

    const now = performance.now();
    if (state.type === 'busy') lastActiveAt = now;
    if (now - lastActiveAt > UNRESPONSIVE_TIMEOUT_MS || now - startedAt > BUSY_TIMEOUT_MS) {
      throw new EmbeddedPostgresError(
        'not_responding',
        `PostgreSQL in ${cluster.paths.dataFolder} does not respond (${state.details}): stop that process, or, if it is ` +
          'not PostgreSQL, remove the file postmaster.pid from that folder, and start again',
        { cause: state.cause },
      );
    }
    if (!isReported) log(`waiting for PostgreSQL to respond (${state.details})`);
    isReported = true;
    await sleep(POLL_MS);
  }
}

type ServerState =
  | { type: 'stopped' }
  | { type: 'ready'; port: number }
  | { type: 'busy' | 'unresponsive'; details: string; cause: unknown };

async function readState(cluster: Cluster, password: string): Promise<ServerState> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) return { type: 'stopped' };
  const { pid, port, isChanging } = postmaster;
  const result = await probeServer(port, password);
  if (result.type === 'ready') return { type: 'ready', port };
  return {
    type: isChanging ? 'busy' : result.type,
    details: `postmaster.pid names process ${pid} and port ${port}`,
    cause: result.cause,
  };
}

async function startFailed({ paths }: Cluster, output: string): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL did not start in ${paths.dataFolder}; the last lines of its log in ${paths.logFolder} are:\n` +
      ((await readServerLogTail(paths)) || output),
  );
}
