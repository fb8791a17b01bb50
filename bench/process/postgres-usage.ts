import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Service } from '../../packages/server/test/support/service.ts';
import { TICKS_PER_SECOND } from './cpu-seconds.ts';
import { type Usage, usageOf, writtenBytes } from './usage.ts';

/** The postmaster of the PostgreSQL of a service on this machine: the parent of each of its connections. */
export async function findPostmaster({ connect }: Pick<Service, 'connect'>): Promise<number> {
  const client: pg.Client = await connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const [parent] = (await statOf(rows[0]?.pid ?? 0)) ?? [];
    if (parent === undefined) throw new Error('PostgreSQL does not run on this machine');
    return parent;
  } finally {
    await client.end();
  }
}

/** What all processes of this PostgreSQL have used: the postmaster, the children that have ended, those that live. */
export async function postgresUsage(postmaster: number): Promise<Usage> {
  const children = await childrenOf(postmaster);
  const [, own = 0, ended = 0] = (await statOf(postmaster)) ?? [];
  const living = await Promise.all(children.map(usageOfChild));
  return {
    cpuSeconds: living.reduce((sum, each) => sum + each.cpuSeconds, (own + ended) / TICKS_PER_SECOND),
    writtenBytes: living.reduce((sum, each) => sum + each.writtenBytes, await writtenBytes(postmaster)),
  };
}

/** Nothing where it has just ended: then its parent has it, and a connection that ends so soon has done little. */
async function usageOfChild(pid: number): Promise<Usage> {
  try {
    return await usageOf([pid]);
  } catch (error) {
    if (isGone(error)) return { cpuSeconds: 0, writtenBytes: 0 };
    throw error;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(pids.map(async (pid) => (await statOf(pid))?.[0]));
  return pids.filter((_pid, at) => parents[at] === parent);
}

/** Parent, ticks of its own, ticks of its children that have ended (proc_pid_stat(5)); undefined where there is none. */
async function statOf(pid: number): Promise<readonly [number, number, number] | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold blanks; what follows begins with the third field.
    const fields = text
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    return [parent, user + system, endedUser + endedSystem];
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
