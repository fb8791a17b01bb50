import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf } from '../lib/errors.ts';
import { backendPid, openClient } from './connect.ts';

const FIRST_CHECK_MS = 2000;
/** A migration waits repeatedly and briefly, so each of its waits must coincide with a check. */
const CHECK_MS = 500;
/**
 * Shorter waits are not reported. Shorter than the lock timeout of a migration by more than the time between checks.
 */
const MIN_WAIT_MS = 1000;
const REMINDER_MS = 30_000;

interface LockHolder {
  readonly pid: number;
  readonly role: string | null;
  readonly application: string | null;
  /** `null` if the login role may not see the activity of this session. */
  readonly state: string | null;
  readonly since: Date | null;
}

/**
 * Runs the work on the connection. If the work takes longer than two seconds and waits for locks held by other
 * sessions, logs those sessions, and again every 30 seconds. A second connection is opened only in that case.
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
  for (let delayMs = FIRST_CHECK_MS; await pause(delayMs, signal); delayMs = REMINDER_MS)
    try {
      await watchOnConnection(url, pid, log, signal);
    } catch (error) {
      log(`the migration is slow, and the sessions that block it could not be listed: ${messageOf(error)}`);
    }
}

async function watchOnConnection(
  url: string,
  pid: number,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = await openClient(url, { applicationName: 'sluice migrate' });
  try {
    const reported = new Set<number>();
    let reportedAt = 0;
    do {
      const holders = await findHolders(client, pid);
      if (performance.now() - reportedAt > REMINDER_MS) reported.clear();
      if (signal.aborted || holders.every((holder) => reported.has(holder.pid))) continue;
      log(`the migration is waiting for a lock held by ${holders.map(describe).join(', ')}`);
      for (const holder of holders) reported.add(holder.pid);
      reportedAt = performance.now();
    } while (await pause(CHECK_MS, signal));
  } finally {
    await client.end();
  }
}

async function findHolders(client: pg.Client, pid: number): Promise<readonly LockHolder[]> {
  const { rows } = await client.query<LockHolder>(
    `select a.pid, a.usename as role, a.application_name as application, a.state, a.state_change as since
     from pg_stat_activity a where a.pid = any (pg_blocking_pids($1))
       and exists (select from pg_locks where pid = $1 and clock_timestamp() - waitstart >= $2 * interval '1 millisecond')
     order by a.pid`,
    [pid, MIN_WAIT_MS],
  );
  return rows;
}

/** Returns false if the signal has fired. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return await sleep(ms, true, { signal }).catch(() => false);
}

function describe({ pid, role, application, state, since }: LockHolder): string {
  const activity = state === null ? '' : `, ${state} since ${since?.toISOString()}`;
  return `process ${pid} (role ${role}, application '${application}'${activity})`;
}
