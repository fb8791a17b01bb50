import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf } from '../lib/errors.ts';
import { backendPid, openClient } from './connect.ts';

/** Shorter waits are not reported. */
const FIRST_REPORT_MS = 2000;
const NEXT_REPORT_MS = 30_000;

interface LockHolder {
  readonly pid: number;
  readonly role: string | null;
  readonly application: string | null;
  /** `null` if the login role may not see the activity of this session. */
  readonly state: string | null;
  readonly since: Date | null;
}

/**
 * Runs the work on the connection. If the work waits for locks held by other sessions, logs those sessions after two
 * seconds and then every 30 seconds. A second connection is opened only in that case.
 */
export async function reportLockWaits<Result>(
  client: pg.Client,
  url: string,
  log: (message: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const pid = await backendPid(client);
  const done = new AbortController();
  const watching = watch(url, pid, log, done.signal);
  try {
    return await work();
  } finally {
    done.abort();
    await watching;
  }
}

async function watch(
  url: string,
  pid: number,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let delayMs = FIRST_REPORT_MS; ; delayMs = NEXT_REPORT_MS) {
    const isDone = await sleep(delayMs, false, { signal }).catch(() => true);
    if (isDone) return;
    try {
      const holders = await holdersOf(url, pid);
      if (holders.length > 0 && !signal.aborted)
        log(`the migration is waiting for a lock held by ${holders.map(describe).join(', ')}`);
    } catch (error) {
      log(`the migration is slow, and the sessions that block it could not be listed: ${messageOf(error)}`);
    }
  }
}

async function holdersOf(url: string, pid: number): Promise<readonly LockHolder[]> {
  const client = await openClient(url, { applicationName: 'sluice migrate' });
  try {
    const { rows } = await client.query<LockHolder>(
      `select a.pid, a.usename as role, a.application_name as application, a.state, a.state_change as since
       from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.pid`,
      [pid],
    );
    return rows;
  } finally {
    await client.end();
  }
}

function describe({ pid, role, application, state, since }: LockHolder): string {
  const activity = state === null ? '' : `, ${state} since ${since?.toISOString()}`;
  return `process ${pid} (role ${role}, application '${application}'${activity})`;
}
