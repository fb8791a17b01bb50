import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { Kill, VictimType } from './kill-plan.ts';
import type { KilledService } from './killed-service.ts';
import type { SupervisedProcess } from './supervised-process.ts';
import { awaitWork, PATIENCE_MS } from './work-in-progress.ts';

export interface DoneKill {
  readonly type: VictimType;
  /** The victim. */
  readonly name: string;
  /** Whether it had a frame or an upload in progress. */
  readonly hitWork: boolean;
}

interface Killing {
  readonly service: KilledService;
  /** Returns the count of uploads in progress at the API with this address. */
  readonly uploadsAt: (url: string | undefined) => number;
}

/** Carries out the kill plan, preferably while work is in progress. Everything that is killed restarts. */
export async function killAll(
  killing: Killing,
  plan: readonly Kill[],
  print: (kill: DoneKill) => void,
): Promise<DoneKill[]> {
  const done: DoneKill[] = [];
  for (const kill of plan) {
    await sleep(kill.pauseMs);
    const killed = await KILL[kill.type](killing, kill);
    done.push({ type: kill.type, ...killed });
    print({ type: kill.type, ...killed });
  }
  return done;
}

type KillOne = (killing: Killing, kill: Kill) => Promise<Omit<DoneKill, 'type'>>;

const KILL: Readonly<Record<VictimType, KillOne>> = {
  worker: async ({ service }, { delayMs, pick }) => {
    const { frames } = await awaitWork(service, (work) => work.frames.length > 0);
    const victim = await chosen(service.workers, pick, ({ name }) => frames.includes(name));
    await sleep(delayMs);
    const hitWork = (await awaitWork(service, () => true)).frames.includes(victim.name);
    await victim.kill();
    return { name: victim.name, hitWork };
  },

  api: async ({ service, uploadsAt }, { delayMs, atCommit, pick }) => {
    const commits = atCommit ? (await awaitWork(service, (work) => work.commits.length > 0)).commits : [];
    const isUploading = ({ url }: SupervisedProcess) => uploadsAt(url) > 0;
    if (commits.length === 0) await moment(() => service.apis.some(isUploading));
    const victim = await chosen(service.apis, pick, (api) =>
      commits.length > 0 ? commits.includes(api.name) : isUploading(api),
    );
    await sleep(commits.length > 0 ? delayMs / 20 : delayMs);
    const hitWork = isUploading(victim);
    await victim.kill();
    return { name: victim.name, hitWork };
  },

  postmaster: async ({ service, uploadsAt }, { delayMs }) => {
    await awaitWork(service, ({ frames }) => frames.length > 0);
    await sleep(delayMs);
    const { frames } = await awaitWork(service, () => true);
    const hitWork = frames.length > 0 || service.apis.some(({ url }) => uploadsAt(url) > 0);
    await service.database.killAndStart();
    return { name: 'postmaster', hitWork };
  },
};

/** Waits for a limited time. */
async function moment(hasCome: () => boolean): Promise<void> {
  for (const from = performance.now(); !hasCome() && performance.now() - from < PATIENCE_MS; ) await sleep(5);
}

/** Returns one of the preferred running processes; if there is none, any running process. */
async function chosen(
  processes: readonly SupervisedProcess[],
  pick: number,
  isWanted: (process: SupervisedProcess) => boolean,
): Promise<SupervisedProcess> {
  const running = await until(async () => {
    const some = processes.filter(({ isRunning }) => isRunning);
    return some.length > 0 && some;
  });
  const wanted = running.filter(isWanted);
  const from = wanted.length > 0 ? wanted : running;
  const one = from[pick % from.length];
  if (one === undefined) throw new Error('there is no process to kill');
  return one;
}
