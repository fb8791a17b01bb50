import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openClient } from './connect.ts';

/** Shorter waits are not reported. */
const FIRST_REPORT_MS = 2000;
const NEXT_REPORT_MS = 30_000;

interface Holder {
  readonly pid: number;
  readonly role: string | null;
  readonly application: string | null;
  /** `null` for sessions of roles whose activity the login role may not see. */
  readonly state: string | null;
  readonly since: Date | null;
}

/**
 * Runs the work on the connection. If it waits for locks of other sessions, logs these sessions after two seconds and then
 * every 30 seconds. Opens a second connection for that only when needed.
 */
export async function reportLockWaits<Result>(
  client: pg.Client,
  url: string,
  log: (message: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const done = new AbortController();
  const watching = watch(url, rows[0]?.pid ?? 0, log, done.signal);
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
  for (let pauseMs = FIRST_REPORT_MS; ; pauseMs = NEXT_REPORT_MS) {
    const isDone = await sleep(pauseMs, false, { signal }).catch(() => true);
    if (isDone) return;
    try {
      const holders = await holdersOf(url, pid);
      if (holders.length > 0 && !signal.aborted)
        log(`the migration waits for a lock that is held by ${holders.map(describe).join(', ')}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`the migration is slow, and the sessions that may block it cannot be listed: ${reason}`);
    }
  }
}

async function holdersOf(url: string, pid: number): Promise<readonly Holder[]> {
  const client = await openClient(url, { applicationName: 'sluice migrate' });
  try {
    const { rows } = await client.query<Holder>(
      `select a.pid, a.usename as role, a.application_name as application, a.state, a.state_change as since
       from pg_stat_activity a where a.pid = any (pg_blocking_pids($1)) order by a.pid`,
      [pid],
    );
    return rows;
  } finally {
    await client.end();
  }
}

function describe({ pid, role, application, state, since }: Holder): string {
  const doing = state === null ? '' : `, ${state} since ${since?.toISOString()}`;
  return `process ${pid} (role ${role}, application '${application}'${doing})`;
}
