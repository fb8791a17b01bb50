import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findPostmaster, startPostmaster } from './postmaster.ts';
import { probeServer } from './server-connection.ts';
import { pruneServerLog, readServerLogTail } from './server-log.ts';

const pollMs = 100;
const startAgainMs = 300;
/** The backends of a killed postmaster may take this long to notice and leave. */
const startPatienceMs = 10_000;
/** A process may hold postmaster.pid this long with nobody answering on its port. */
const silencePatienceMs = 10_000;
/** A recovery may replay max_wal_size from a slow disk, a shutdown may write out all buffers. */
const busyPatienceMs = 300_000;

/**
 * Makes the cluster answer: waits for the postmaster that runs, or starts one when none does, again while that
 * can help.
 *
 * @throws EmbeddedPostgresError `start_failed` with the last lines of the server's log
 * @throws EmbeddedPostgresError `not_responding` when a process holds the cluster and does not answer
 */
export async function ensureRunning(
  cluster: Cluster,
  password: string,
  log: (message: string) => void,
): Promise<{ port: number; startedByUs: boolean }> {
  let startedByUs = false;
  let failingSince: number | undefined;
  for (;;) {
    const port = await waitForAnswer(cluster, password, log);
    if (port !== undefined) return { port, startedByUs };
    await pruneServerLog(cluster.paths);
    log(`starting PostgreSQL on ${cluster.paths.dataFolder}`);
    const result = await startPostmaster(cluster);
    startedByUs = result.exitCode === 0;
    if (startedByUs) continue;
    // Another process may have been faster, the port just taken, or orphans of a killed postmaster still there.
    failingSince ??= performance.now();
    if (performance.now() - failingSince > startPatienceMs) throw await startFailed(cluster, result.output);
    await sleep(startAgainMs);
  }
}

/** The port on which the cluster answers; undefined as soon as no postmaster runs on it. */
async function waitForAnswer(
  cluster: Cluster,
  password: string,
  log: (message: string) => void,
): Promise<number | undefined> {
  const beganAt = performance.now();
  let lastSignAt = beganAt;
  let told = false;
  for (;;) {
    const sign = await lookForSign(cluster, password);
    if (sign.kind === 'none') return undefined;
    if (sign.kind === 'ready') return sign.port;

    const now = performance.now();
    if (sign.kind === 'busy') lastSignAt = now;
    if (now - lastSignAt > silencePatienceMs || now - beganAt > busyPatienceMs) {
      throw new EmbeddedPostgresError(
        'not_responding',
        `PostgreSQL in ${cluster.paths.dataFolder} seems to run, but does not answer (${sign.found}): stop that ` +
          'process, or, if it is no PostgreSQL, remove the file postmaster.pid in that folder, and start again',
        { cause: sign.cause },
      );
    }
    if (!told) log(`waiting for PostgreSQL to answer (${sign.found})`);
    told = true;
    await sleep(pollMs);
  }
}

type Sign =
  | { kind: 'none' }
  | { kind: 'ready'; port: number }
  | { kind: 'busy' | 'silent'; found: string; cause: unknown };

async function lookForSign(cluster: Cluster, password: string): Promise<Sign> {
  const postmaster = await findPostmaster(cluster);
  if (postmaster === undefined) return { kind: 'none' };
  const { pid, port, changing } = postmaster;
  const answer = await probeServer(port, password);
  if (answer.kind === 'ready') return { kind: 'ready', port };
  return {
    kind: changing ? 'busy' : answer.kind,
    found: `postmaster.pid names process ${pid} and port ${port}`,
    cause: answer.cause,
  };
}

async function startFailed({ paths }: Cluster, output: string): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL did not start on ${paths.dataFolder}; the last lines of its log, ${paths.logFolder}:\n` +
      ((await readServerLogTail(paths)) || output),
  );
}
