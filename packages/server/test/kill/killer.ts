import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Kill, KillKind } from './kill-plan.ts';
import type { KilledService } from './killed-service.ts';

export interface DoneKill {
  readonly kind: KillKind;
  /** Whether what was killed had a frame or an upload at hand. */
  readonly hitWork: boolean;
}

/** Kills as planned, and has everything started again. */
export async function killAll(
  service: KilledService,
  plan: readonly Kill[],
  uploadsAt: (url: string) => number,
  tell: (kill: DoneKill, of: string) => void,
): Promise<DoneKill[]> {
  const done: DoneKill[] = [];
  for (const { kind, pauseMs, pick } of plan) {
    await sleep(pauseMs);
    const { name, hitWork } = await kill(service, kind, pick, uploadsAt);
    done.push({ kind, hitWork });
    tell({ kind, hitWork }, name);
  }
  return done;
}

async function kill(
  service: KilledService,
  kind: KillKind,
  pick: number,
  uploadsAt: (url: string) => number,
): Promise<{ name: string; hitWork: boolean }> {
  if (kind === 'postmaster') {
    const frames = (await workersWithFrames(service)).length;
    let uploads = 0;
    await service.database.killAndStart(() => {
      for (const { url } of service.apis) uploads += url === undefined ? 0 : uploadsAt(url);
    });
    return { name: kind, hitWork: frames + uploads > 0 };
  }
  const all = kind === 'api' ? service.apis : service.workers;
  const running = await until(async () => {
    const some = all.filter(({ isRunning }) => isRunning);
    return some.length > 0 && some;
  });
  const busy = kind === 'worker' ? await workersWithFrames(service) : [];
  const victim = running[pick % running.length];
  if (victim === undefined) throw new Error('there is nobody to kill');
  const { name, url } = victim;
  const hitWork = busy.includes(name) || (url !== undefined && uploadsAt(url) > 0);
  await victim.kill();
  return { name, hitWork };
}

/** Worker processes that hold a frame: a claim is a lock on a row of the queue until the end of the transaction. */
async function workersWithFrames({ database }: KilledService): Promise<string[]> {
  const rows = await database.sql<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity join pg_locks using (pid)
     where relation = 'frame_queue'::regclass and mode = 'RowShareLock' and backend_xid is not null`,
  );
  return rows.map(({ name }) => name);
}
