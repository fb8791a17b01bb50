import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { KilledServer } from './database.ts';
import type { Kill, VictimType } from './kill-plan.ts';
import type { KilledService } from './killed-service.ts';
import type { SupervisedProcess } from './supervised-process.ts';
import { awaitWork, MAX_WAIT_MS } from './work-in-progress.ts';

export interface CompletedKill {
  readonly type: VictimType;
  /** The victim. */
  readonly name: string;
  /** Whether the victim had a frame or an upload in progress. */
  readonly hitWork: boolean;
}

interface KillContext {
  readonly service: KilledService;
  /** Returns the number of uploads in progress at the API with this address. */
  readonly uploadsAt: (url: string | undefined) => number;
}

/**
 * Kills processes according to the plan, preferably while work is in progress. All killed processes restart. If the work
 * of a victim has ended before the kill, aims again, up to this number of attempts, each with half the delay.
 */
export async function killAll(
  context: KillContext,
  plan: readonly Kill[],
  attempts: number,
  print: (kill: CompletedKill) => void,
): Promise<CompletedKill[]> {
  const completed: CompletedKill[] = [];
  for (const { type, pauseMs, ...kill } of plan) {
    await sleep(pauseMs);
    let target = await AIM[type](context, kill);
    for (let attempt = 1; attempt < attempts && !target.hitWork; attempt++)
      target = await AIM[type](context, { ...kill, delayMs: kill.delayMs / 2 ** attempt });
    await target.kill();
    const { name, hitWork } = target;
    completed.push({ type, name, hitWork });
    print({ type, name, hitWork });
  }
  return completed;
}

interface Target {
  readonly name: string;
  readonly hitWork: boolean;
  readonly kill: () => Promise<void>;
}

type Aim = (context: KillContext, kill: Omit<Kill, 'type' | 'pauseMs'>) => Promise<Target>;

/** Waits for work, and then for the delay of the kill. */
const AIM: Readonly<Record<VictimType, Aim>> = {
  worker: async ({ service }, { delayMs, pick }) => {
    const { frames } = await awaitWork(service, (work) => work.frames.length > 0);
    const victim = await chooseVictim(service.workers, pick, ({ name }) => frames.includes(name));
    await sleep(delayMs);
    const hitWork = (await awaitWork(service, () => true)).frames.includes(victim.name);
    return { name: victim.name, hitWork, kill: () => victim.kill() };
  },

  api: async ({ service, uploadsAt }, { delayMs, atCommit, pick }) => {
    const commits = atCommit ? (await awaitWork(service, (work) => work.commits.length > 0)).commits : [];
    const isUploading = ({ url }: SupervisedProcess) => uploadsAt(url) > 0;
    if (commits.length === 0) await waitFor(() => service.apis.some(isUploading));
    const victim = await chooseVictim(service.apis, pick, (api) =>
      commits.length > 0 ? commits.includes(api.name) : isUploading(api),
    );
    await sleep(commits.length > 0 ? delayMs / 20 : delayMs);
    const hitWork = isUploading(victim);
    return { name: victim.name, hitWork, kill: () => victim.kill() };
  },

  postmaster: async (context, kill) => await aimAtServer(context, kill, context.service.database.server),

  node: async (context, kill) => {
    const { nodes } = context.service.database;
    return await aimAtServer(context, kill, nodes[kill.pick % nodes.length]);
  },
};

async function aimAtServer(
  { service, uploadsAt }: KillContext,
  { delayMs }: Pick<Kill, 'delayMs'>,
  server: KilledServer | undefined,
): Promise<Target> {
  if (server === undefined) throw new Error('there is no node to kill');
  await awaitWork(service, ({ frames }) => frames.length > 0);
  await sleep(delayMs);
  const { frames } = await awaitWork(service, () => true);
  const hitWork = frames.length > 0 || service.apis.some(({ url }) => uploadsAt(url) > 0);
  return { name: server.name, hitWork, kill: server.killAndStart };
}

/** Waits for the condition, but only for a limited time. */
async function waitFor(isMet: () => boolean): Promise<void> {
  for (const from = performance.now(); !isMet() && performance.now() - from < MAX_WAIT_MS; ) await sleep(5);
}

/** Returns one of the preferred running processes, or any running process if no preferred process is running. */
async function chooseVictim(
  processes: readonly SupervisedProcess[],
  pick: number,
  isPreferred: (process: SupervisedProcess) => boolean,
): Promise<SupervisedProcess> {
  const running = await until(async () => {
    const candidates = processes.filter(({ isRunning }) => isRunning);
    return candidates.length > 0 && candidates;
  });
  const preferred = running.filter(isPreferred);
  const from = preferred.length > 0 ? preferred : running;
  const victim = from[pick % from.length];
  if (victim === undefined) throw new Error('there is no process to kill');
  return victim;
}
