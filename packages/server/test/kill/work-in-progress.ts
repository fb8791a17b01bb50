import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { KilledService } from './killed-service.ts';

const POLL_INTERVAL_MS = 2;
/** How long to wait for a suitable moment, in milliseconds. There may be no activity at all. */
export const MAX_WAIT_MS = 3000;

/** Processes of the service that have changed data in an open transaction. */
export interface WorkInProgress {
  /** Workers that hold a frame: a claim locks a queue row until its transaction ends. */
  readonly frames: readonly string[];
  /** API processes that are about to record an upload whose file is already stored. */
  readonly commits: readonly string[];
}

/** Polls for a condition, for a limited time. */
export async function awaitWork(
  { database }: KilledService,
  isEnough: (work: WorkInProgress) => boolean,
): Promise<WorkInProgress> {
  const client = await database.connect();
  try {
    const from = performance.now();
    for (;;) {
      const work = await findWork(client);
      if (isEnough(work) || performance.now() - from > MAX_WAIT_MS) return work;
      await sleep(POLL_INTERVAL_MS);
    }
  } finally {
    await client.end();
  }
}

async function findWork(client: pg.Client): Promise<WorkInProgress> {
  const { rows } = await client.query<{ names: string[]; frame: boolean }>(
    `select array_agg(distinct application_name) as names, application_name like 'worker%' as frame
     from pg_stat_activity where datname = current_database() and backend_xid is not null
       and (application_name like 'api%' or application_name like 'worker%' and exists (
         select from pg_locks l where l.pid = pg_stat_activity.pid and relation = 'frame_queue'::regclass and mode = 'RowShareLock'))
     group by frame`,
  );
  const names = (ofFrames: boolean) => rows.find(({ frame }) => frame === ofFrames)?.names ?? [];
  return { frames: names(true), commits: names(false) };
}
